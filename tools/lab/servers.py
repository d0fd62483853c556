"""The servers: how each is started at the server's end of the link, with the content on its desktop.

To add one, write a function that gets a Desk and starts everything, and enter it in SERVERS. A server
listens on PORT (the namespace is its own), and is left at its defaults otherwise. Its security is what
the setting says: none; its own default, with a password; or a certificate besides (docs/lab.md). What
is missing on the machine is found before (`programs`).
"""
import os
import sys
from dataclasses import dataclass, field

import contents
import credentials
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


def _asks(desk, none, x509=None):
    """A server's options for its security: `none` for none, a password for its own default, and
    (certificate, key) -> options besides."""
    kind = desk.settings["security"]
    if kind == "none":
        return none
    password = ["-rfbauth", credentials.password_file(desk.folder)]
    return password + x509(*credentials.certificate(desk.folder)) if kind == "x509" else password


def _tigervnc(desk):
    from display import start_with_displayfd
    security = _asks(desk, ["-SecurityTypes", "None"], lambda cert, key: [
        "-SecurityTypes", "X509Vnc", "-X509Cert", cert, "-X509Key", key])
    argv = ["Xvnc", "-geometry", desk.settings["geometry"], "-depth", "24", "-rfbport", str(PORT),
            *security, "-desktop", "lab", "-nolisten", "tcp", *desk.settings["server_options"]]
    process, display = start_with_displayfd(argv, desk.log("server"))
    desk.server = desk.keep(process)
    contents.show(desk, display)
    wait_for_port(desk, "tigervnc")


def _tightvnc(desk):
    from display import start_with_number
    argv = ["Xtightvnc", "-geometry", desk.settings["geometry"], "-depth", "24", "-rfbport", str(PORT),
            "-desktop", "lab", "-nolisten", "tcp", *_asks(desk, []), *desk.settings["server_options"]]
    process, display = start_with_number(argv, desk.log("server"))
    desk.server = desk.keep(process)
    contents.show(desk, display)
    wait_for_port(desk, "tightvnc")


def _in_one_file(desk, cert, key):
    path = os.path.join(desk.folder, "both.pem")
    with open(path, "w", encoding="ascii") as both:
        for part in (key, cert):
            with open(part, encoding="ascii") as file:
                both.write(file.read())
    return path


def _x11vnc(desk):
    """x11vnc on an Xvfb; the server is x11vnc alone, the X server is the desktop's own cost."""
    from display import start_with_displayfd
    argv = ["Xvfb", "-screen", "0", desk.settings["geometry"] + "x24", "-nolisten", "tcp", "-noreset"]
    process, display = start_with_displayfd(argv, desk.log("x-server"))
    desk.keep(process)
    security = _asks(desk, ["-nopw"], lambda cert, key: ["-ssl", _in_one_file(desk, cert, key)])
    desk.server = desk.run(
        ["x11vnc", "-display", f":{display}", "-rfbport", str(PORT), "-forever", "-shared", "-norc",
         "-quiet", *security, *desk.settings["server_options"]], "server")
    contents.show(desk, display)
    wait_for_port(desk, "x11vnc")


def _demo(desk):
    """The project's own server draws its content itself: the scene is always its film."""
    desk.server = desk.content = desk.run(
        [desk.tools["demo-server"], "--marks", "--listen", os.environ["LINKEM_SERVER"], "--port",
         str(PORT), "--size", desk.settings["geometry"], "--fps", f"{desk.settings['content']['fps']:g}",
         *desk.settings["server_options"]], "server")
    wait_for_port(desk, "demo")


def _qemu(desk):
    """QEMU shows what is inside a virtual machine: the content is a guest that boots in it, the part of
    it at the host only tells it the time. What the guest draws is in QEMU's CPU time."""
    settings, content = desk.settings, desk.settings["content"]
    guest = os.path.join(os.path.dirname(desk.tools["content"]), os.pardir, "guest", "vnchl-lab-guest")
    if not os.path.exists(guest):
        raise RunFailed(f"{os.path.normpath(guest)} is not there: meson builds it where the compiler can "
                        "make 32-bit x86 programs")
    line = os.path.join(desk.folder, "guest.socket")
    desk.server = desk.run(
        ["qemu-system-x86_64", "-name", "lab", "-no-user-config", "-nodefaults", "-machine", "pc,hpet=on",
         "-accel", "tcg", "-m", "32", "-vga", "std", "-display", "none", "-kernel", guest, "-append",
         f"screen={settings['geometry']} video={content['size']} fps={content['fps']:g} "
         f"seed={settings['seed']}", "-chardev",
         f"socket,id=line,path={line.replace(',', ',,')},server=on,wait=off", "-serial", "chardev:line",
         "-vnc", ",".join([f":{PORT - 5900}", *settings["server_options"]])], "server")
    if not wait_until(lambda: os.path.exists(line), READY_LIMIT, [desk.server]):
        raise RunFailed(f"the server qemu did not start: {last_line(desk.log('server'))}")
    host_side = os.path.join(os.path.dirname(os.path.abspath(__file__)), "guest", "host_side.py")
    desk.content = desk.run([sys.executable, "-B", host_side, line], "content")
    contents.wait(desk)
    wait_for_port(desk, "qemu")


def _wayvnc_config(desk):
    """wayvnc has no password without a certificate, and asks for nothing by default."""
    if desk.settings["security"] != "x509":
        return ""
    cert, key = credentials.certificate(desk.folder)
    return (f"enable_auth=true\nusername={credentials.USER}\npassword={credentials.PASSWORD}\n"
            f"private_key_file={key}\ncertificate_file={cert}\n")


def _wayvnc(desk):
    """wayvnc on sway without a screen of its own, and on that desktop nothing but an X server with
    its root window (no window manager has a say in it), which shows the content. The server is wayvnc
    alone; sway and Xwayland are the desktop's own cost."""
    from display import start_with_displayfd
    runtime = os.path.join(desk.folder, "wayland")
    socket = os.path.join(runtime, "wayland-1")
    os.mkdir(runtime, 0o700)
    config, nothing = os.path.join(desk.folder, "sway.config"), os.path.join(desk.folder, "wayvnc.config")
    with open(config, "w", encoding="ascii") as file:
        file.write(f"xwayland disable\ndefault_border none\nseat * hide_cursor 100\n"
                   f"output * resolution {desk.settings['geometry']} position 0 0\n")
    with open(nothing, "w", encoding="ascii") as file:
        file.write(_wayvnc_config(desk))  # and none of the user's
    env = {name: value for name, value in os.environ.items()
           if name not in ("DISPLAY", "WAYLAND_DISPLAY", "SWAYSOCK")}
    env.update(XDG_RUNTIME_DIR=runtime, HOME=runtime, WAYLAND_DISPLAY="wayland-1")
    # sway refuses to run as root: for it, we are nobody
    nobody = ["unshare", "--user", "--map-user=65534", "--map-group=65534"] if os.geteuid() == 0 else []
    sway = desk.run([*nobody, "sway", "-c", config], "sway", {
        **{name: value for name, value in env.items() if name != "WAYLAND_DISPLAY"},
        "WLR_BACKENDS": "headless", "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman"})
    if not wait_until(lambda: os.path.exists(socket), READY_LIMIT, [sway]):
        raise RunFailed(f"sway did not start: {last_line(desk.log('sway'))}")
    desk.server = desk.run(["wayvnc", "-C", nothing, *desk.settings["server_options"], "0.0.0.0",
                            str(PORT)], "server", env)
    wait_for_port(desk, "wayvnc")
    process, display = start_with_displayfd(["Xwayland", "-shm", "-noreset", "-nolisten", "tcp"],
                                            desk.log("x-server"), env)
    desk.keep(process)
    contents.show(desk, display)


@dataclass(frozen=True)
class Server:
    """How to start a server, and what it needs: programs of other people, with their packages."""
    start: object
    programs: dict  # program -> Debian package
    tools: tuple = ("content",)  # programs of this project
    package: str = ""  # whose version is recorded
    scenes: tuple = contents.SCENES  # that it can show
    security: tuple = ("none", "default")  # kinds of it that it can have


_XVFB = {"Xvfb": "xvfb"}

SERVERS = {
    "tigervnc": Server(_tigervnc, {"Xvnc": "tigervnc-standalone-server"},
                       package="tigervnc-standalone-server", security=credentials.KINDS),
    "tightvnc": Server(_tightvnc, {"Xtightvnc": "tightvncserver"}, package="tightvncserver"),
    "x11vnc": Server(_x11vnc, {"x11vnc": "x11vnc", **_XVFB}, package="x11vnc",
                     security=credentials.KINDS),
    "demo": Server(_demo, {}, ("demo-server",), scenes=("video",), security=("none",)),
    "qemu": Server(_qemu, {"qemu-system-x86_64": "qemu-system-x86"}, (), "qemu-system-x86",
                   ("video",), ("none",)),
    "wayvnc": Server(_wayvnc, {"wayvnc": "wayvnc", "sway": "sway", "Xwayland": "xwayland"},
                     package="wayvnc", security=("none", "x509")),
}
