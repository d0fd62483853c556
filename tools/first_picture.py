#!/usr/bin/env python3
"""How many round trips the first picture takes: ours and other viewers, with several servers and
security types.

    tools/first_picture.py --build build [--server NAME]... [--viewer NAME]... [--security TYPE]...
                           [--rtt MS]

Prints a table. Needs what tools/linkem needs, Xvfb, ImageMagick's `display`, and the servers and
viewers themselves; what is not installed is left out. X509Plain needs a kernel that lets a user make
namespaces, too: the server asks PAM, and finds a service there that takes every password.

Counted is the time from when the viewer's connection begins (its SYN) until the first bytes of the
picture are in its socket, as the kernel says (`ss -ti`), over an emulated link that has a delay and
nothing else. The picture is noise, so it is longer than all that is said before.
"""
import argparse
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PORT = 5950
ADDRESS = "10.203.0.2"  # the server's end of the link (docs/linkem.md)
PICTURE = 6000  # bytes: more than any handshake has, and less than a first flight of packets
PATIENCE = 40  # seconds for one picture
PASSWORD, USER = "s3cret", "somebody"

PLAIN = ("None", "VncAuth")
TYPES = (*PLAIN, "TLSVnc", "X509None", "X509Vnc", "X509Plain")

# started at the server's end as display $n, and the security types that it has
SERVERS = {
    "TigerVNC": ("Xtigervnc", "Xtigervnc :$n -geometry 400x300 -rfbport {port} -SecurityTypes {type}", TYPES),
    "TightVNC": ("Xtightvnc", "Xtightvnc :$n -geometry 400x300 -depth 24 -rfbport {port}", PLAIN),
    "x11vnc": ("x11vnc", "Xvfb :$n -screen 0 400x300x24", PLAIN),
}
VIEWERS = {
    "vnchl, the first time": ("vnchl", TYPES),
    "vnchl, later": ("vnchl", TYPES),
    "TigerVNC": ("xtigervncviewer", TYPES),
    "gvncviewer": ("gvncviewer", ("None",)),
    "xtightvncviewer": ("xtightvncviewer", PLAIN),
}


class Keys:
    """What servers and viewers need to know of each other, in files of a folder."""

    def __init__(self, folder):
        self.password, self.certificate, self.key, self.services, self.noise = (
            os.path.join(folder, name)
            for name in ("password", "cert.pem", "key.pem", "pam.d", "noise.png"))

    def make(self):
        subprocess.run(["convert", "-size", "400x300", "xc:gray", "+noise", "Random", self.noise],
                       check=True)
        with open(self.password, "wb") as f:
            subprocess.run(["vncpasswd", "-f"], input=PASSWORD.encode() + b"\n", stdout=f, check=True)
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                        "-subj", "/CN=" + ADDRESS, "-addext", "subjectAltName=IP:" + ADDRESS,
                        "-keyout", self.key, "-out", self.certificate],
                       check=True, stderr=subprocess.DEVNULL)
        os.mkdir(self.services)
        with open(os.path.join(self.services, "vnc"), "w", encoding="ascii") as f:
            f.write("auth required pam_permit.so\naccount required pam_permit.so\n")


def server_command(name, security, keys, ready):
    command = SERVERS[name][1].format(port=PORT, type=security)
    key = f"-rfbauth {shlex.quote(keys.password)}" if security.endswith(("Vnc", "Auth")) else ""
    if name != "x11vnc":
        command += f" {key}"
    if security.startswith("X509"):
        command += f" -X509Cert {shlex.quote(keys.certificate)} -X509Key {shlex.quote(keys.key)}"
    if security == "X509Plain":
        inside = f"mount --bind {shlex.quote(keys.services)} /etc/pam.d && exec {command}"
        inside = inside.replace("$n", "$1") + " -PlainUsers '*' -pam_service vnc"
        command = f"unshare --user --map-root-user --mount sh -c {shlex.quote(inside)} sh $n"
    lines = [
        "n=$((1000 + $$ % 30000))",
        f"{command} >/dev/null 2>&1 & main=$!",
        "until [ -S /tmp/.X11-unix/X$n ]; do sleep 0.1; done",
        f"DISPLAY=:$n display -window root {shlex.quote(keys.noise)} >/dev/null 2>&1",
    ]
    if name == "x11vnc":
        lines += [f"x11vnc -display :$n -forever -shared {key or '-nopw'} -rfbport {PORT} >/dev/null 2>&1 &"]
    lines += [f"touch {shlex.quote(ready)}", "wait $main"]
    return "\n".join(lines)


def viewer_command(name, vnchl, security, keys, address):
    if name.startswith("vnchl"):
        trust = ["--x509-ca", keys.certificate] if security.startswith("X509") else []
        return [vnchl, "--headless", "--warm-up", "0.01", "--duration", "0.01", "--security-types",
                security, *trust, f"{address}::{PORT}"]
    if name == "TigerVNC":
        key = [f"-passwd={keys.password}"] if security.endswith(("Vnc", "Auth")) else []
        return ["xtigervncviewer", f"-SecurityTypes={security}", "-ReconnectOnError=0", *key,
                f"-X509CA={keys.certificate}", f"{address}::{PORT}"]
    if name == "gvncviewer":
        return ["gvncviewer", f"{address}:{PORT - 5900}"]
    key = ["-passwd", keys.password] if security == "VncAuth" else []
    return ["xtightvncviewer", *key, f"{address}::{PORT}"]


def received(address):
    """Bytes that the connection to the server has received; None: there is none. One that ends, of a
    viewer before, is none."""
    out = subprocess.run(["ss", "-tinH", "state", "syn-sent", "state", "established",
                          "dst", f"{address}:{PORT}"], capture_output=True, text=True)
    if not out.stdout.strip():
        return None
    found = re.findall(r"bytes_received:(\d+)", out.stdout)
    return max(map(int, found), default=0)


def one_picture(command):
    """Seconds from the SYN to the picture; None: none came."""
    address = os.environ["LINKEM_SERVER"]
    viewer = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, start_new_session=True)
    begun, took, until = None, None, time.monotonic() + PATIENCE
    while took is None and time.monotonic() < until:
        so_far, now = received(address), time.monotonic()
        if so_far is not None and begun is None:
            begun = now
        if so_far is not None and so_far >= PICTURE:
            took = now - begun
        if viewer.poll() is not None and so_far is None:
            break
        time.sleep(0.002)
    try:
        viewer.wait(5 if "--headless" in command else 0)
    except subprocess.TimeoutExpired:
        os.killpg(viewer.pid, signal.SIGTERM)
        viewer.wait()
    return took


def watch(options):
    """At the client's end of the link: prints the seconds of the last of so many pictures."""
    command = viewer_command(options.watch, options.vnchl, options.security[0], Keys(options.keys),
                             os.environ["LINKEM_SERVER"])
    took = None
    for _ in range(2 if options.watch == "vnchl, later" else 1):
        took = one_picture(command)
    print("" if took is None else f"{took:.3f}")


def measure(options, server, security, viewer, folder):
    """Round trips, or None."""
    state = tempfile.mkdtemp(dir=folder)
    ready = os.path.join(state, "ready")
    command = [
        os.path.join(options.build, "tools/linkem/vnchl-linkem"), "--rtt", f"{options.rtt}ms",
        "--server-command", server_command(server, security, Keys(folder), ready),
        "--wait-for", ready, "--wait-for", str(PORT), "--",
        sys.executable, os.path.abspath(__file__), "--watch", viewer, "--security", security,
        "--vnchl", os.path.join(options.build, "viewer/vnchl"), "--keys", folder,
    ]
    env = dict(os.environ, XDG_STATE_HOME=state, HOME=state)
    if security.endswith(("Vnc", "Auth", "Plain")):
        env.update(VNC_PASSWORD=PASSWORD, VNC_USERNAME=USER)
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    text = done.stdout.strip()
    return float(text) * 1000 / options.rtt if text else None


def table(options, folder):
    Keys(folder).make()
    viewers = [v for v in options.viewer or VIEWERS
               if v.startswith("vnchl") or shutil.which(VIEWERS[v][0])]
    servers = [s for s in options.server or SERVERS if shutil.which(SERVERS[s][0])]
    print("| server | security |", " | ".join(viewers), "|")
    print("| --- " * (2 + len(viewers)) + "|")
    for server in servers:
        for security in options.security or TYPES:
            if security not in SERVERS[server][2]:
                continue
            counted = [measure(options, server, security, viewer, folder)
                       if security in VIEWERS[viewer][1] else None for viewer in viewers]
            cells = ["-" if n is None else f"{n:.2f}" for n in counted]
            print(f"| {server} | {security} |", " | ".join(cells), "|", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build", help="where meson has built")
    parser.add_argument("--server", action="append", choices=SERVERS)
    parser.add_argument("--viewer", action="append", choices=VIEWERS)
    parser.add_argument("--security", action="append", choices=TYPES)
    parser.add_argument("--rtt", type=float, default=300, help="ms (default 300)")
    parser.add_argument("--watch", choices=VIEWERS, help=argparse.SUPPRESS)
    parser.add_argument("--vnchl", help=argparse.SUPPRESS)
    parser.add_argument("--keys", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.watch:
        watch(options)
        return
    options.build = os.path.abspath(options.build)
    read, write = os.pipe()
    display = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1000x800x24"],
                               pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as f, tempfile.TemporaryDirectory() as folder:
            os.environ["DISPLAY"] = ":" + f.readline().strip()
            table(options, folder)
    finally:
        display.terminate()
        display.wait()


if __name__ == "__main__":
    main()
