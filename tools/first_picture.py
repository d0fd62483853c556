#!/usr/bin/env python3
"""How many round trips the first picture takes: ours and other viewers, with several servers.

    tools/first_picture.py --build build [--server NAME]... [--viewer NAME]... [--rtt MS]

Prints a table. Needs what tools/linkem needs, Xvfb, ImageMagick's `display`, and the servers and
viewers themselves; what is not installed is left out.

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
PICTURE = 3000  # bytes: more than any handshake has
PATIENCE = 40  # seconds for one picture

# started at the server's end as display $n; VncAuth reads $P
SERVERS = {
    "TigerVNC": ("Xtigervnc", "Xtigervnc :$n -geometry 400x300 -rfbport {port} -SecurityTypes {type}"),
    "TightVNC": ("Xtightvnc", "Xtightvnc :$n -geometry 400x300 -depth 24 -rfbport {port}"),
    "x11vnc": ("x11vnc", "Xvfb :$n -screen 0 400x300x24"),
}
VIEWERS = {
    "vnchl, the first time": "vnchl",
    "vnchl, later": "vnchl",
    "TigerVNC": "xtigervncviewer",
    "gvncviewer": "gvncviewer",
    "xtightvncviewer": "xtightvncviewer",
}


def server_command(name, password, noise, ready):
    program, command = SERVERS[name]
    command = command.format(port=PORT, type="VncAuth" if password else "None")
    if password and name != "x11vnc":
        command += f" -rfbauth {shlex.quote(password)}"
    lines = [
        "n=$((1000 + $$ % 30000))",
        f"{command} >/dev/null 2>&1 & main=$!",
        "until [ -S /tmp/.X11-unix/X$n ]; do sleep 0.1; done",
        f"DISPLAY=:$n display -window root {shlex.quote(noise)} >/dev/null 2>&1",
    ]
    if name == "x11vnc":
        key = f"-rfbauth {shlex.quote(password)}" if password else "-nopw"
        lines += [f"x11vnc -display :$n -forever -shared {key} -rfbport {PORT} >/dev/null 2>&1 &"]
    lines += [f"touch {shlex.quote(ready)}", "wait $main"]
    return "\n".join(lines)


def viewer_command(name, vnchl, password, address):
    if name.startswith("vnchl"):
        return [vnchl, "--headless", "--warm-up", "0.01", "--duration", "0.01", f"{address}::{PORT}"]
    if name == "TigerVNC":
        key = [f"-passwd={password}"] if password else []
        return ["xtigervncviewer", "-SecurityTypes=None,VncAuth", "-ReconnectOnError=0", *key,
                f"{address}::{PORT}"]
    if name == "gvncviewer":
        return None if password else ["gvncviewer", f"{address}:{PORT - 5900}"]
    key = ["-passwd", password] if password else []
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
    command = viewer_command(options.watch, options.vnchl, options.password,
                             os.environ["LINKEM_SERVER"])
    took = None
    for _ in range(2 if options.watch == "vnchl, later" else 1):
        took = one_picture(command)
    print("" if took is None else f"{took:.3f}")


def measure(options, server, password, viewer, folder, noise):
    """Round trips, or None."""
    state = tempfile.mkdtemp(dir=folder)
    ready = os.path.join(state, "ready")
    command = [
        os.path.join(options.build, "tools/linkem/vnchl-linkem"), "--rtt", f"{options.rtt}ms",
        "--server-command", server_command(server, password, noise, ready),
        "--wait-for", ready, "--wait-for", str(PORT), "--",
        sys.executable, os.path.abspath(__file__), "--watch", viewer,
        "--vnchl", os.path.join(options.build, "viewer/vnchl"), "--password", password,
    ]
    env = dict(os.environ, XDG_STATE_HOME=state, HOME=state, VNC_PASSWORD="s3cret" if password else "")
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    text = done.stdout.strip()
    return float(text) * 1000 / options.rtt if text else None


def table(options, folder):
    noise, password = os.path.join(folder, "noise.png"), os.path.join(folder, "password")
    subprocess.run(["convert", "-size", "400x300", "xc:gray", "+noise", "Random", noise], check=True)
    with open(password, "wb") as f:
        subprocess.run(["vncpasswd", "-f"], input=b"s3cret\n", stdout=f, check=True)
    viewers = [v for v in options.viewer or VIEWERS
               if v.startswith("vnchl") or shutil.which(VIEWERS[v])]
    servers = [s for s in options.server or SERVERS if shutil.which(SERVERS[s][0])]
    print("| server | security |", " | ".join(viewers), "|")
    print("| --- " * (2 + len(viewers)) + "|")
    for server in servers:
        for security in ("None", "VncAuth"):
            counted = [measure(options, server, password if security == "VncAuth" else "", viewer,
                               folder, noise) for viewer in viewers]
            cells = ["-" if n is None else f"{n:.2f}" for n in counted]
            print(f"| {server} | {security} |", " | ".join(cells), "|", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build", help="where meson has built")
    parser.add_argument("--server", action="append", choices=SERVERS)
    parser.add_argument("--viewer", action="append", choices=VIEWERS)
    parser.add_argument("--rtt", type=float, default=300, help="ms (default 300)")
    parser.add_argument("--watch", choices=VIEWERS, help=argparse.SUPPRESS)
    parser.add_argument("--vnchl", help=argparse.SUPPRESS)
    parser.add_argument("--password", default="", help=argparse.SUPPRESS)
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
