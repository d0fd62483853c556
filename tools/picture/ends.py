"""The two ends of a link on which a first picture is looked at: how each server and each viewer is
started there, and what they have to know of each other.
"""
import hashlib
import json
import os
import shlex
import ssl
import subprocess

PORT = 5950
BEHIND = 5951  # where a server listens that has vnchl-accel before it
ADDRESS = "10.203.0.2"  # the server's end of the link (docs/linkem.md)
PASSWORD, USER = "s3cret", "somebody"

PLAIN = ("None", "VncAuth")
TYPES = (*PLAIN, "TLSVnc", "X509None", "X509Vnc", "X509Plain")
PUSHED = "TigerVNC, vnchl-accel"
BY_SSH = "TigerVNC, ssh"  # picture/ssh_end.py has the viewers

# What the server behind vnchl-accel offers, so that viewers can have the type and the server's leg is plain.
BEHIND_TYPES = {"None": "None", "VncAuth": "VncAuth", "TLSVnc": "TLSVnc,VncAuth",
                "X509None": "TLSNone,None", "X509Vnc": "TLSVnc,VncAuth"}

# started at the server's end as display $n, and the security types that it has
SERVERS = {
    "TigerVNC": ("Xtigervnc", "Xtigervnc :$n -geometry {size} -rfbport {port} -SecurityTypes {type}", TYPES),
    "TightVNC": ("Xtightvnc", "Xtightvnc :$n -geometry {size} -depth 24 -rfbport {port}", PLAIN),
    "x11vnc": ("x11vnc", "Xvfb :$n -screen 0 {size}x24", PLAIN),
    PUSHED: ("Xtigervnc", "Xtigervnc :$n -geometry {size} -rfbport {port} -SecurityTypes {type} -localhost",
             tuple(BEHIND_TYPES)),
    BY_SSH: ("Xtigervnc", "Xtigervnc :$n -geometry {size} -rfbport {port} -SecurityTypes {type} -localhost",
             TYPES[:3]),
}
VIEWERS = {
    "vnchl, the first time": ("vnchl", TYPES),
    "vnchl, later": ("vnchl", TYPES),
    "TigerVNC": ("xtigervncviewer", TYPES),
    "gvncviewer": ("gvncviewer", ("None",)),
    "xtightvncviewer": ("xtightvncviewer", PLAIN),
}


def asks_for_password(security):
    return security.endswith(("Vnc", "Auth"))


class Keys:
    """What servers and viewers need to know of each other, in files of a folder."""

    def __init__(self, folder):
        self.password, self.certificate, self.key, self.services, self.accel = (
            os.path.join(folder, name)
            for name in ("password", "cert.pem", "key.pem", "pam.d", "accel"))

    def make(self):
        with open(self.password, "wb") as f:
            subprocess.run(["vncpasswd", "-f"], input=PASSWORD.encode() + b"\n", stdout=f, check=True)
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                        "-subj", "/CN=" + ADDRESS, "-addext", "subjectAltName=IP:" + ADDRESS,
                        "-keyout", self.key, "-out", self.certificate],
                       check=True, stderr=subprocess.DEVNULL)
        os.mkdir(self.services)
        with open(os.path.join(self.services, "vnc"), "w", encoding="ascii") as f:
            f.write("auth required pam_permit.so\naccount required pam_permit.so\n")

    def trust(self, server):
        """vnchl's options for the certificate of this server. The one that vnchl-accel has made for itself
        does not name this address: a user compares the fingerprint."""
        if server != PUSHED:
            return ["--x509-ca", self.certificate]
        with open(os.path.join(self.accel, "certificate.pem"), encoding="ascii") as f:
            return ["--fingerprint", hashlib.sha256(ssl.PEM_cert_to_DER_cert(f.read())).hexdigest()]


def _x_server(name, security, keys, size):
    """The command line that starts the X server, with $n for its display."""
    behind = name in (PUSHED, BY_SSH)
    command = SERVERS[name][1].format(port=BEHIND if name == PUSHED else PORT, size=size,
                                      type=BEHIND_TYPES[security] if behind else security)
    if name != "x11vnc" and asks_for_password(security):
        command += f" -rfbauth {shlex.quote(keys.password)}"
    if security.startswith("X509") and not behind:
        command += f" -X509Cert {shlex.quote(keys.certificate)} -X509Key {shlex.quote(keys.key)}"
    if security == "X509Plain":
        inside = f"mount --bind {shlex.quote(keys.services)} /etc/pam.d && exec {command}"
        inside = inside.replace("$n", "$1") + " -PlainUsers '*' -pam_service vnc"
        command = f"unshare --user --map-root-user --mount sh -c {shlex.quote(inside)} sh $n"
    return command


def server_command(name, security, keys, content, ready, build, size="400x300"):
    """For vnchl-linkem. `content`: what draws the desktop, in sh; `ready`: the file that says that it has."""
    lines = [
        "n=$((1000 + $$ % 30000))",
        f"{_x_server(name, security, keys, size)} >/dev/null 2>&1 & main=$!",
        "until [ -S /tmp/.X11-unix/X$n ]; do sleep 0.1; done",
        "export DISPLAY=:$n",
        content,
    ]
    if name == "x11vnc":
        key = f"-rfbauth {shlex.quote(keys.password)}" if asks_for_password(security) else "-nopw"
        lines += [f"x11vnc -display :$n -forever -shared {key} -rfbport {PORT} >/dev/null 2>&1 &"]
    if name == PUSHED:
        accel = [os.path.join(build, "tools/accelerator/vnchl-accel"), "--listen", f"*:{PORT}", "--server",
                 f"127.0.0.1::{BEHIND}", "--security", "x509" if security.startswith("X509") else "server",
                 "--state", keys.accel]
        lines += [f"mkdir -p {shlex.quote(keys.accel)}", f"{shlex.join(accel)} >/dev/null 2>&1 &"]
    lines += [f"touch {shlex.quote(ready)}", "wait $main"]
    return "\n".join(lines)


def viewer_command(name, vnchl, server, security, keys, address, options=()):
    """`options`: more of vnchl's."""
    if name.startswith("vnchl"):
        trust = keys.trust(server) if security.startswith("X509") else []
        return [vnchl, *options, "--security-types", security, *trust, f"{address}::{PORT}"]
    if name == "TigerVNC":
        key = [f"-passwd={keys.password}"] if asks_for_password(security) else []
        return ["xtigervncviewer", f"-SecurityTypes={security}", "-ReconnectOnError=0", *key,
                f"-X509CA={keys.certificate}", f"{address}::{PORT}"]
    if name == "gvncviewer":
        return ["gvncviewer", f"{address}:{PORT - 5900}"]
    key = ["-passwd", keys.password] if security == "VncAuth" else []
    return ["xtightvncviewer", *key, f"{address}::{PORT}"]


def environment(security, state):
    """Of a viewer whose memory is in the folder `state`."""
    env = dict(os.environ, XDG_STATE_HOME=state, HOME=state)
    if security.endswith(("Vnc", "Auth", "Plain")):
        env.update(VNC_PASSWORD=PASSWORD, VNC_USERNAME=USER)
    return env


def pushed(report):
    """Whether vnchl says in its JSON that it got blocks."""
    try:
        with open(report, encoding="utf-8") as file:
            return json.load(file)["pushed"]
    except (OSError, ValueError, KeyError):
        return False
