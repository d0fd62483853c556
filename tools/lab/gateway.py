"""websockify, which a viewer in a browser needs: it brings the viewer as web pages, and passes what the
viewer says through a WebSocket on to a server.

It stands at the server's end of the link, where an administrator has it, or at the viewer's own (a
gateway): Viewer.gateway says where. docs/lab.md says what follows from that.
"""
from processes import RunFailed, last_line, start, wait_until
from servers import listening

PORT = 6080
PAGES = "/usr/share/novnc"
READY_LIMIT = 20  # s
PROGRAMS = {"websockify": "websockify", f"{PAGES}/vnc.html": "novnc"}  # file or program -> Debian package


def start_gateway(host, to_host, to_port, log, processes):
    """Starts it on HOST:PORT, in front of a server that listens already; the process."""
    process = start(["websockify", "--web", PAGES, f"{host}:{PORT}", f"{to_host}:{to_port}"], log)
    processes.append(process)
    if not wait_until(lambda: listening(PORT), READY_LIMIT, [process]):
        raise RunFailed(f"websockify did not start: {last_line(log)}")
    return process
