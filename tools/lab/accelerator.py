"""vnchl-accel in a run: beside the server, at the viewer's end of the link, or one at each end.

Taylor and Pasquale ("Improving VNC Performance", section 6) tried all three.
"""
import os

import credentials
from processes import RunFailed, last_line, start, wait_until
from servers import PORT, listening

WAYS = ("direct", "accel", "accel-near", "accel-pair")  # how a viewer reaches the server
BESIDE = ("accel", "accel-pair")  # with one beside the server
NEAR = ("accel-near", "accel-pair")  # with one at the viewer's end
BESIDE_PORT, NEAR_PORT = 5901, 5902  # where they listen
NEAR_HOST = "127.0.0.1"
READY_LIMIT = 20  # s


def far_port(settings):
    """The port at the server's end that is reached across the link."""
    return BESIDE_PORT if settings["through"] in BESIDE else PORT


def _start(argv, port, state, log, processes):
    """Starts one that makes its key in the folder `state`; the process."""
    os.mkdir(state, 0o700)
    process = start([*argv, "--drain", "0", "--state", state], log)
    processes.append(process)
    if not wait_until(lambda: listening(port), READY_LIMIT, [process]):
        raise RunFailed(f"the accelerator did not start: {last_line(log)}")
    return process


def beside(desk):
    """Starts the one in front of the server, if the viewer is to go through one. Returns it, or None."""
    settings = desk.settings
    if settings["through"] not in BESIDE:
        return None
    host = os.environ["LINKEM_SERVER"]
    # the demo server listens on the link's address only
    server = host if settings["server"] == "demo" else "127.0.0.1"
    own = []
    if settings["security"] == "x509":  # viewers trust the same one as without it
        cert, key = credentials.certificate(desk.folder)
        own = ["--certificate", cert, "--key", key]
    argv = [desk.tools["accel"], "--listen", f"{host}:{BESIDE_PORT}", "--server", f"{server}::{PORT}", *own,
            *settings["accel_options"]]
    return _start(argv, BESIDE_PORT, os.path.join(desk.folder, "accel-state"), desk.log("accel"),
                  desk.processes)


def near(folder, task, processes):
    """Starts the one at the viewer's end, if the viewer is to go through one: what it is in front of is
    across the link. Returns it, or None."""
    settings = task["settings"]
    if settings["through"] not in NEAR:
        return None
    argv = [task["tools"]["accel"], "--listen", f"{NEAR_HOST}:{NEAR_PORT}", "--server",
            f"{os.environ['LINKEM_SERVER']}::{far_port(settings)}", *settings["accel_options"]]
    return _start(argv, NEAR_PORT, os.path.join(folder, "accel-near-state"),
                  os.path.join(folder, "accel-near.log"), processes)
