"""The servers: how each is started at the server's end of the link, with the content on its desktop.

To add one, write a function that gets a Desk and starts everything, and enter it in SERVERS. A server
listens on PORT (the namespace is its own), asks for no password, and is left at its defaults
otherwise. What is missing on the machine is found before (`programs`).
"""
import os
from dataclasses import dataclass, field

from processes import RunFailed, last_line, start, wait_until

PORT = 5900
READY_LIMIT = 20  # s


@dataclass
class Desk:
    """One desktop at the server's end: what was started, and what the figures are taken of."""
    settings: dict
    folder: str  # of the run
    tools: dict  # programs of this project: name -> path
    processes: list = field(default_factory=list)  # in the order they were started
    server: object = None  # whose CPU time and memory count as the server's
    content: object = None  # the same for the content

    def log(self, name):
        """The file that takes what a program says."""
        return os.path.join(self.folder, name + ".log")

    def run(self, argv, name, env=None):
        """Starts a program that lives as long as the desk."""
        process = start(argv, self.log(name), env)
        self.processes.append(process)
        return process

    def keep(self, process):
        """The same for one that was started already."""
        self.processes.append(process)
        return process


def listening(port):
    """Whether a socket of this network namespace listens on the TCP port."""
    for name in ("tcp", "tcp6"):
        try:
            with open(f"/proc/self/net/{name}", encoding="ascii") as file:
                for line in file:
                    fields = line.split()
                    if fields[3] == "0A" and int(fields[1].rpartition(":")[2], 16) == port:
                        return True
        except OSError:
            continue
    return False


def wait_for_port(desk, name):
    """Waits until the server accepts viewers."""
    if not wait_until(lambda: listening(PORT), READY_LIMIT, [desk.server]):
        raise RunFailed(f"the server {name} did not start: {last_line(desk.log('server'))}")


def content_arguments(settings):
    """What vnchl-lab-content is told."""
    content = settings["content"]
    return [content["scene"], "--size", content["size"], "--fps", f"{content['fps']:g}",
            "--seed", str(settings["seed"])]


def show_content(desk, display):
    """Starts the content on an X display and waits until it is drawn."""
    log = desk.log("content")
    env = {**os.environ, "DISPLAY": f":{display}"}
    desk.content = desk.run([desk.tools["content"], *content_arguments(desk.settings)], "content", env)

    def ready():
        with open(log, encoding="utf-8", errors="replace") as file:
            return any(line.strip() == "ready" for line in file)

    if not wait_until(ready, READY_LIMIT, [desk.content]):
        raise RunFailed(f"the content did not start: {last_line(log)}")


def _tigervnc(desk):
    from display import start_with_displayfd
    argv = ["Xvnc", "-geometry", desk.settings["geometry"], "-depth", "24", "-rfbport", str(PORT),
            "-SecurityTypes", "None", "-desktop", "lab", "-nolisten", "tcp",
            *desk.settings["server_options"]]
    process, display = start_with_displayfd(argv, desk.log("server"))
    desk.server = desk.keep(process)
    show_content(desk, display)
    wait_for_port(desk, "tigervnc")


def _tightvnc(desk):
    from display import start_with_number
    argv = ["Xtightvnc", "-geometry", desk.settings["geometry"], "-depth", "24", "-rfbport", str(PORT),
            "-desktop", "lab", "-nolisten", "tcp", *desk.settings["server_options"]]
    process, display = start_with_number(argv, desk.log("server"))
    desk.server = desk.keep(process)
    show_content(desk, display)
    wait_for_port(desk, "tightvnc")


def _x11vnc(desk):
    """x11vnc on an Xvfb; the server is x11vnc alone, the X server is the desktop's own cost."""
    from display import start_with_displayfd
    argv = ["Xvfb", "-screen", "0", desk.settings["geometry"] + "x24", "-nolisten", "tcp", "-noreset"]
    process, display = start_with_displayfd(argv, desk.log("x-server"))
    desk.keep(process)
    desk.server = desk.run(
        ["x11vnc", "-display", f":{display}", "-rfbport", str(PORT), "-forever", "-shared", "-norc",
         "-quiet", "-nopw", *desk.settings["server_options"]], "server")
    show_content(desk, display)
    wait_for_port(desk, "x11vnc")


def _demo(desk):
    """The project's own server draws its content itself: the scene is always its film."""
    desk.server = desk.content = desk.run(
        [desk.tools["demo-server"], "--marks", "--listen", os.environ["LINKEM_SERVER"], "--port",
         str(PORT), "--size", desk.settings["geometry"], "--fps", f"{desk.settings['content']['fps']:g}",
         *desk.settings["server_options"]], "server")
    wait_for_port(desk, "demo")


@dataclass(frozen=True)
class Server:
    """How to start a server, and what it needs: programs of other people, with their packages."""
    start: object
    programs: dict  # program -> Debian package
    tools: tuple = ("content",)  # programs of this project
    package: str = ""  # whose version is recorded


_XVFB = {"Xvfb": "xvfb"}

SERVERS = {
    "tigervnc": Server(_tigervnc, {"Xvnc": "tigervnc-standalone-server"},
                       package="tigervnc-standalone-server"),
    "tightvnc": Server(_tightvnc, {"Xtightvnc": "tightvncserver"}, package="tightvncserver"),
    "x11vnc": Server(_x11vnc, {"x11vnc": "x11vnc", **_XVFB}, package="x11vnc"),
    "demo": Server(_demo, {}, ("demo-server",)),
}
