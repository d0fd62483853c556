"""The servers: how each is started at the server's end of the link, with the content on its desktop.
Most are VNC servers; those of other systems say which protocol they speak.

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
import sshd
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


def _xvfb(desk):
    """An X server for a server that shows one that is there already; its display number. It is the
    desktop's own cost."""
    from display import start_with_displayfd
    argv = ["Xvfb", "-screen", "0", desk.settings["geometry"] + "x24", "-nolisten", "tcp", "-noreset"]
    process, display = start_with_displayfd(argv, desk.log("x-server"))
    desk.keep(process)
    return display


def _x11vnc(desk):
    """x11vnc on an Xvfb; the server is x11vnc alone."""
    display = _xvfb(desk)
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


def _own_environment(desk, **variables):
    """Without the user's settings and displays: what the program keeps goes into the run's folder."""
    home = os.path.join(desk.folder, "server-home")
    os.mkdir(home, 0o700)
    env = {name: value for name, value in os.environ.items()
           if name not in ("DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY") and not name.startswith("XDG_")}
    return {**env, "HOME": home, "XDG_RUNTIME_DIR": home, **variables}


def _freerdp_shadow(desk):
    """FreeRDP's server on an Xvfb, which it looks at as x11vnc does. It makes its own certificate."""
    display = _xvfb(desk)
    desk.server = desk.run(
        ["freerdp-shadow-cli", f"/port:{PORT}", "/sec:tls", "-auth", *desk.settings["server_options"]],
        "server", _own_environment(desk, DISPLAY=f":{display}"))
    contents.show(desk, display)
    wait_for_port(desk, "freerdp-shadow")


# xrdp shows the desktop of a VNC server beside it, so nobody has to log in. Nothing but the picture crosses the link.
_XRDP = """[Globals]
ini_version=1
fork=true
port={port}
tcp_nodelay=true
security_layer=tls
certificate={cert}
key_file={key}
autorun=lab
allow_channels=true
bitmap_cache=true
bitmap_compression=true
bulk_compression=true
max_bpp=32
new_cursors=true
use_fastpath=both
[Logging]
LogFile={log}
LogLevel=INFO
EnableSyslog=false
[Channels]
rdpdr=false
rdpsnd=false
drdynvc=false
cliprdr=false
rail=false
xrdpvr=false
tcutils=false
[lab]
name=lab
lib=libvnc.so
ip=127.0.0.1
port={behind}
username=na
password=na
"""
BEHIND = PORT + 1  # where that server listens
XRDP_SERVICE = "/run/xrdp/xrdp.pid"  # of the package's own, on the whole machine


def _xrdp(desk):
    """xrdp in front of an Xvnc. The server is xrdp alone, the Xvnc the desktop's own cost."""
    from display import start_with_displayfd
    if os.path.exists(XRDP_SERVICE):
        raise RunFailed("xrdp's own service runs, beside which no other starts: systemctl disable --now xrdp "
                        "xrdp-sesman")
    process, display = start_with_displayfd(
        ["Xvnc", "-geometry", desk.settings["geometry"], "-depth", "24", "-rfbport", str(BEHIND), "-SecurityTypes",
         "None", "-localhost", "-nolisten", "tcp"], desk.log("x-server"))
    desk.keep(process)
    contents.show(desk, display)
    cert, key = credentials.certificate(desk.folder)
    config = os.path.join(desk.folder, "xrdp.ini")
    with open(config, "w", encoding="ascii") as file:
        file.write(_XRDP.format(port=PORT, behind=BEHIND, cert=cert, key=key, log=desk.log("xrdp")))
    desk.server = desk.run(["xrdp", "--nodaemon", "--config", config, *desk.settings["server_options"]], "server",
                           _own_environment(desk))
    wait_for_port(desk, "xrdp")


# What has nothing to do with the picture, but would look for other programs, services and devices.
XPRA_WITHOUT = tuple(f"--{name}=no" for name in (
    "clipboard", "notifications", "webcam", "printing", "file-transfer", "speaker", "microphone", "mmap"))


def _xpra(desk):
    """xpra's desktop mode on an Xvfb, which is shown as one window. It listens before it is ready."""
    display = _xvfb(desk)
    desk.server = desk.run(
        ["xpra", "start-desktop", f":{display}", "--use-display=yes", "--daemon=no", "--systemd-run=no",
         f"--bind-tcp=0.0.0.0:{PORT}", "--bind=none", "--html=no", "--ssh-upgrade=no", "--resize-display=no",
         "--pulseaudio=no", "--mdns=no", "--dbus-proxy=no", "--dbus-control=no", "--start-new-commands=no",
         *XPRA_WITHOUT, *desk.settings["server_options"]],
        "server", _own_environment(desk, NO_AT_BRIDGE="1", GSETTINGS_BACKEND="memory"))

    def ready():
        with open(desk.log("server"), encoding="utf-8", errors="replace") as file:
            return "xpra is ready" in file.read()

    if not wait_until(ready, READY_LIMIT, [desk.server]):
        raise RunFailed(f"the server xpra did not start: {last_line(desk.log('server'))}")
    contents.show(desk, display)


def _x_over_tcp(desk):
    """No server: the content is an X client of the screen at the viewer's end."""
    contents.show_far(desk, "server")
    desk.server = desk.content


def _x_over_ssh(desk):
    """The same through the display that ssh forwards. The server is sshd, without the content."""
    folder = desk.folder
    argv = sshd.command(folder, os.environ["LINKEM_SERVER"], PORT, contents.display_file(folder))
    desk.server = desk.run(argv, "server")
    contents.show_far(desk, XAUTHORITY=sshd.xauthority(folder))
    wait_for_port(desk, "x-over-ssh")


@dataclass(frozen=True)
class Server:
    """How to start a server, and what it needs: programs of other people, with their packages."""
    start: object
    programs: dict  # program -> Debian package
    tools: tuple = ("content",)  # programs of this project
    package: str = ""  # whose version is recorded
    scenes: tuple = contents.SCENES  # that it can show
    security: tuple = ("none", "default")  # kinds of it that it can have
    protocol: str = "RFB"  # that viewers have to speak


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
    "freerdp-shadow": Server(_freerdp_shadow, {"freerdp-shadow-cli": "freerdp2-shadow-x11", **_XVFB},
                             package="freerdp2-shadow-x11", security=("none",), protocol="RDP"),
    "xrdp": Server(_xrdp, {"xrdp": "xrdp", "Xvnc": "tigervnc-standalone-server"}, package="xrdp",
                   security=("none",), protocol="RDP"),
    "xpra": Server(_xpra, {"xpra": "xpra", **_XVFB}, package="xpra", security=("none",), protocol="xpra"),
    "x-over-tcp": Server(_x_over_tcp, {}, package="libx11-6", security=("none",), protocol="X"),
    "x-over-ssh": Server(_x_over_ssh, sshd.PROGRAMS, package="openssh-server", security=("none",),
                         protocol="X through ssh"),
}
