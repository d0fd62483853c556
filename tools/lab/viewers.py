"""The viewers: how each is started on a screen of its own, and what keeps its dialogs away.

To add one, enter it in VIEWERS. A viewer connects to HOST::PORT, shows the desktop unscaled in true
colour, and is left at its defaults otherwise. `prepare` may write files into the viewer's HOME, which
is new for each run: what is remembered there is of the run's own `visits`. Where the server has security,
`login` gives it the password. Of X systems the screen itself is the viewer.
"""
import os
from dataclasses import dataclass

import browser
import contents
import credentials
import gateway
import sshd
from display import SCREEN
from servers import XPRA_WITHOUT

OURS = ("vnchl", "vnchl-headless")
ONLY_OURS = ("prp", "push", "window")  # settings


@dataclass(frozen=True)
class Viewer:
    """How to call a viewer, and what it needs."""
    command: object  # (settings, host, port, folder, tools) -> argument list
    programs: dict  # program -> Debian package
    package: str = ""  # whose version is recorded
    tools: tuple = ()  # programs of this project
    prepare: object = None  # (home, host, port): writes its files
    environment: tuple = ()  # (name, value) pairs
    login: object = None  # (settings, folder) -> its options for a server with security
    asks: str = ""  # the name of the window in which it asks for the password; none: it does not
    gateway: str = ""  # the end of the link where its websockify stands: "server" or "client"; none
    protocol: str = "RFB"
    screen: tuple = ("-nolisten", "tcp")  # options of the X server that it is shown on
    is_screen: bool = False  # that X server draws for the content itself: its cost is the viewer's


def _vnchl_options(settings, folder):
    return ["--prp", str(settings["prp"]), "--push", settings["push"],
            "--window", str(settings["window"]), *settings["viewer_options"],
            "--log", os.path.join(folder, "viewer.csv"), "--json", os.path.join(folder, "viewer.json"),
            "--trace", os.path.join(folder, "viewer.trace")]


def login(settings, folder):
    """The options by which the viewer gets the password, if the server asks for one."""
    options = VIEWERS[settings["viewer"]].login
    return options(settings, folder) if options and settings["security"] != "none" else []


def _password_file(option):
    return lambda settings, folder: [option, credentials.password_file(folder)]


def _vnchl_login(settings, folder):
    return ["--passwd-file", credentials.password_file(folder),
            *(["--x509-ca", os.path.join(folder, "cert.pem")] if settings["security"] == "x509" else [])]


def _tigervnc_login(settings, folder):
    password = ["-passwd", credentials.password_file(folder)]
    # x11vnc offers anonymous TLS, too, which its library then refuses
    return password + ["-SecurityTypes", "X509Vnc,X509Plain", "-X509CA", os.path.join(folder, "cert.pem")] \
        if settings["security"] == "x509" else password


def _vnchl(settings, host, port, folder, tools):
    # what it remembers is only of use on a further visit; there its hint would cover part of the desktop
    memory = ["--recent", "on", "--menu-key", "none"] if settings["visits"] else ["--recent", "off"]
    return [tools["vnchl"], "--alert-on-fatal-error=off", *memory, *_vnchl_options(settings, folder),
            *login(settings, folder), f"{host}::{port}"]


def _vnchl_headless(settings, host, port, folder, tools):
    presses = ["--press-every", f"{settings['press_every_ms']:g}"] if settings["press_every_ms"] else []
    return [tools["vnchl"], "--headless", "--marks", *presses, "--warm-up", f"{settings['warm_up_s']:g}",
            "--duration", f"{settings['duration_s']:g}", "--connect-timeout",
            f"{settings['limit_s']:g}", *_vnchl_options(settings, folder), *login(settings, folder),
            f"{host}::{port}"]


def _with(program, *options, address="{host}::{port}"):
    def command(settings, host, port, folder, tools):
        return [program, *options, *login(settings, folder), *settings["viewer_options"],
                address.format(host=host, port=port, display=port - 5900)]
    return command


# No look at the session's bus, keyring or accessibility: a run has none.
_GTK = (("NO_AT_BRIDGE", "1"), ("GSETTINGS_BACKEND", "memory"), ("GTK_A11Y", "none"))


def _remmina_profile(settings, home, host, port):
    password = "" if settings["security"] == "none" else credentials.remmina(home)
    folder = os.path.join(home, ".local/share/remmina")
    os.makedirs(folder)
    with open(os.path.join(home, "lab.remmina"), "w", encoding="ascii") as file:
        file.write(f"[remmina]\nname=lab\nprotocol=VNC\nserver={host}:{port}\n"
                   f"password={password}\ndisablepasswordstoring={int(not password)}\n"
                   "colordepth=32\nquality=9\nscale=0\nviewmode=1\n"
                   "window_width=1200\nwindow_height=900\nwindow_maximize=0\n")


def _novnc(settings, host, port, folder, tools):
    return browser.command(
        SCREEN, os.path.join(folder, "home", "chromium"), settings["viewer_options"],
        f"http://{host}:{port}/vnc.html?autoconnect=1"
        + (f"&username={credentials.USER}&password={credentials.PASSWORD}" if settings["security"] != "none" else ""))


def _xfreerdp(settings, host, port, folder, tools):
    # Its default for codecs is /network:auto, but not beside /bpp. Nobody asks for the name and the
    # password; without them it might.
    codecs = () if any(o.startswith("/network:") for o in settings["viewer_options"]) else ("/network:auto",)
    return ["xfreerdp", f"/v:{host}:{port}", "/sec:tls", "/cert:ignore", f"/u:{credentials.USER}",
            f"/p:{credentials.PASSWORD}", f"/size:{settings['geometry']}", "/bpp:32", *codecs,
            *settings["viewer_options"]]


def _xpra(settings, host, port, folder, tools):
    return ["xpra", "attach", f"tcp://{host}:{port}/", "--opengl=no", "--desktop-scaling=off", "--tray=no",
            "--system-tray=no", "--remote-logging=no", *XPRA_WITHOUT, *settings["viewer_options"]]


# Tells the content where the screen is, and stays as long as a viewer would.
_TELL = 'echo "$1$DISPLAY" >"$2.part" && mv "$2.part" "$2" && exec sleep infinity'


def _x_over_tcp(settings, host, port, folder, tools):
    return ["sh", "-c", _TELL, "x-over-tcp", os.environ["LINKEM_CLIENT"], contents.display_file(folder)]


# Both ends are on one machine, where the content could hand its pictures over in shared memory.
_NO_SHORTCUT = ("-extension", "MIT-SHM")

_NOVNC = {**browser.PROGRAMS, **gateway.PROGRAMS}

# TigerVNC's hint about its menu key would cover part of the desktop for the first seconds.
_TIGERVNC = ("-MenuKey", "")

VIEWERS = {
    "vnchl": Viewer(_vnchl, {}, tools=("vnchl",), login=_vnchl_login),
    "vnchl-headless": Viewer(_vnchl_headless, {}, tools=("vnchl",), login=_vnchl_login),
    "tigervnc": Viewer(_with("xtigervncviewer", *_TIGERVNC), {"xtigervncviewer": "tigervnc-viewer"},
                       "tigervnc-viewer", login=_tigervnc_login),
    "gvncviewer": Viewer(_with("gvncviewer", address="{host}:{display}"), {"gvncviewer": "gvncviewer"},
                         "gvncviewer", environment=_GTK, asks="Authentication required"),
    "xtightvncviewer": Viewer(_with("xtightvncviewer"), {"xtightvncviewer": "xtightvncviewer"},
                              "xtightvncviewer", login=_password_file("-passwd")),
    "ssvnc": Viewer(_with("ssvncviewer"), {"ssvncviewer": "ssvnc"}, "ssvnc",
                    login=_password_file("-passwd")),
    "remmina": Viewer(
        lambda settings, host, port, folder, tools: [
            "remmina", *settings["viewer_options"], "-c", os.path.join(folder, "home", "lab.remmina")],
        {"remmina": "remmina"}, "remmina-plugin-vnc", prepare=_remmina_profile, environment=_GTK),
    "novnc": Viewer(_novnc, _NOVNC, "novnc", gateway="server"),
    "novnc-near": Viewer(_novnc, _NOVNC, "novnc", gateway="client"),
    "xfreerdp": Viewer(_xfreerdp, {"xfreerdp": "freerdp2-x11"}, "freerdp2-x11", protocol="RDP"),
    "xpra": Viewer(_xpra, {"xpra": "xpra"}, "xpra", environment=(*_GTK, ("GDK_BACKEND", "x11")),
                   protocol="xpra"),
    "x-over-tcp": Viewer(_x_over_tcp, {}, "xvfb", protocol="X", is_screen=True,
                         screen=("-listen", "tcp", "-ac", *_NO_SHORTCUT)),
    "x-over-ssh": Viewer(
        lambda settings, host, port, folder, tools: sshd.client(folder, host, port, settings["viewer_options"]),
        {"ssh": "openssh-client"}, "openssh-client", protocol="X through ssh", is_screen=True,
        screen=("-nolisten", "tcp", *_NO_SHORTCUT)),
}
