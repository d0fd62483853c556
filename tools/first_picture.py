#!/usr/bin/env python3
"""How many round trips the first picture takes: ours and other viewers, with several servers and
security types; through vnchl-accel beside the server; and over ssh.

    tools/first_picture.py --build build [--server NAME]... [--viewer NAME]... [--security TYPE]...
                           [--rtt MS] [--repeats N] [--records FILE]

Prints two tables: what connects to a server itself, and what goes by ssh. Needs what tools/linkem needs,
Xvfb, ImageMagick's `display`, and the servers and viewers themselves; what is not installed is left out.
X509Plain needs a kernel that lets a user make namespaces, too: the server asks PAM, and finds a service
there that takes every password.

Counted is the time from when the viewer's connection begins (its SYN) until the first bytes of the
picture are in its socket, as the kernel says (`ss -ti`), over an emulated link that has a delay and
nothing else. The picture is noise, so it is longer than all that is said before. Through vnchl-accel
vnchl's picture counts only if it was pushed.

Over ssh the connection is that of ssh, which is a real one, with a key, and shares no connection. So the
first column is what ssh takes by itself: until the first byte that a command at the far end has said is
there. Where a window connects again, its ssh is killed, and what counts is from the SYN of the next one
until the window has the whole picture, which has one colour: before ssh is there (its ticket), or after.
"""
import argparse
import os
import re
import select
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lab"))

from records import of_program  # noqa: E402
from picture.ends import (BY_SSH, PORT, PUSHED, SERVERS, TYPES, VIEWERS, Keys, environment,  # noqa: E402
                          pushed, server_command, viewer_command)
from picture import ssh_end  # noqa: E402

# bytes: more than all that is said before, ssh's own handshake included, and less than a first flight of packets
PICTURE, PICTURE_BY_SSH = 6000, 10000
PATIENCE = 40  # seconds for one picture
NOISE = "noise.png"


def received(address, port):
    """Bytes that the connection to the server has received; None: there is none. One that ends, of a
    viewer before, is none."""
    out = subprocess.run(["ss", "-tinH", "state", "syn-sent", "state", "established",
                          "dst", f"{address}:{port}"], capture_output=True, text=True)
    if not out.stdout.strip():
        return None
    found = re.findall(r"bytes_received:(\d+)", out.stdout)
    return max(map(int, found), default=0)


def end(viewer, headless):
    """Waits for one that ends by itself, and ends all that a viewer has started."""
    try:
        viewer.wait(5 if headless else 0)
    except subprocess.TimeoutExpired:
        os.killpg(viewer.pid, signal.SIGTERM)
        viewer.wait()


def has_spoken(program):
    """Whether it has said something; its end says nothing."""
    return select.select([program.stdout], [], [], 0)[0] and os.read(program.stdout.fileno(), 1)


def one_picture(command, port, enough):
    """Seconds from the SYN until so many bytes are there, None: they never were; `enough` 0: until the
    command has said something."""
    viewer = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE if not enough
                              else subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    begun, took, until = None, None, time.monotonic() + PATIENCE
    while took is None and time.monotonic() < until:
        so_far, now = received(os.environ["LINKEM_SERVER"], port), time.monotonic()
        if so_far is not None and begun is None:
            begun = now
        there = so_far is not None and so_far >= enough if enough else has_spoken(viewer)
        if there and begun is not None:
            took = now - begun
        if viewer.poll() is not None and so_far is None:
            break
        time.sleep(0.002)
    end(viewer, "--headless" in command)
    return took


def says(program, text, until):
    """Waits until the program has said a line with this text. False: it does not."""
    said = b""
    while text not in said and time.monotonic() < until:
        if not select.select([program.stderr], [], [], 0.001)[0]:
            continue
        more = os.read(program.stderr.fileno(), 4096)
        if not more:
            break
        said += more
    return text in said


def kill_ssh_of(viewer):
    """And waits until its connection has ended."""
    children = subprocess.run(["pgrep", "-P", str(viewer.pid), "-x", "ssh"], capture_output=True, text=True)
    for pid in children.stdout.split():
        os.kill(int(pid), signal.SIGKILL)
    while received(os.environ["LINKEM_SERVER"], ssh_end.PORT) is not None:
        time.sleep(0.002)


def picture_again(options, keys):
    """Seconds from the SYN of the ssh behind the one that is killed until a window shows the picture; None:
    it does not."""
    ssh, by_ticket = ssh_end.Ssh(options.keys), options.watch == ssh_end.AGAIN
    os.environ.update(ssh.environment(os.environ))
    os.makedirs(ssh.runtime, 0o700, exist_ok=True)
    command = ssh.command(options.watch, options.vnchl, options.security[0], keys.password,
                          ["--verbose", "--keep", "1h", "--datagrams", "auto" if by_ticket else "off"])
    viewer = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
    until, took = time.monotonic() + PATIENCE, None
    if says(viewer, b"connected to '", until):
        time.sleep(3)  # it shows a picture then, and has its ticket
        kill_ssh_of(viewer)
        begun = looked = time.monotonic()
        while received(os.environ["LINKEM_SERVER"], ssh_end.PORT) is None and looked < until:
            begun, looked = looked, time.monotonic()  # there was no SYN yet when it was looked the last time
        line = b"the picture is here before" if by_ticket else b"connected again"
        took = time.monotonic() - begun if says(viewer, line, until) else None
    end(viewer, False)
    return took


def watch(options):
    """At the client's end of the link: prints the seconds of a picture, None: it did not come."""
    again = options.watch in (ssh_end.AGAIN, ssh_end.AGAIN_BY_TCP)
    took = picture_again(options, Keys(options.keys)) if again else picture(options)
    print("" if took is None else f"{took:.3f}")


def picture(options):
    """Seconds of the last of so many pictures; None: it did not come."""
    name, server, security, keys = options.watch, options.server[0], options.security[0], Keys(options.keys)
    report = os.path.join(os.environ["HOME"], "report.json")
    ours = ["--headless", "--warm-up", "0.01", "--duration", "0.01", "--json", report]
    if server == BY_SSH:
        ssh = ssh_end.Ssh(options.keys)
        os.environ.update(ssh.environment(os.environ))
        command, port = ssh.command(name, options.vnchl, security, keys.password, ours), ssh_end.PORT
        enough = 0 if name == ssh_end.ALONE else PICTURE_BY_SSH
    else:
        command = viewer_command(name, options.vnchl, server, security, keys, os.environ["LINKEM_SERVER"], ours)
        port, enough = PORT, PICTURE
    took = None
    for _ in range(2 if name.endswith("later") else 1):
        took = one_picture(command, port, enough)
    if name.startswith("vnchl") and server in (PUSHED, BY_SSH) and not pushed(report):
        took = None
    return took


def measure(options, server, security, viewer, folder):
    """Round trips, or None."""
    state = tempfile.mkdtemp(dir=folder)
    ready = os.path.join(state, "ready")
    again = viewer in (ssh_end.AGAIN, ssh_end.AGAIN_BY_TCP)
    content = ":" if again else f"display -window root {shlex.quote(os.path.join(folder, NOISE))} >/dev/null 2>&1"
    ports = [PORT]
    if server == BY_SSH:
        content += "\n" + ssh_end.Ssh(folder).server_lines()
        ports.append(ssh_end.PORT)
    waits = [word for each in (ready, *map(str, ports)) for word in ("--wait-for", each)]
    command = [
        os.path.join(options.build, "tools/linkem/vnchl-linkem"), "--rtt", f"{options.rtt}ms",
        "--server-command", server_command(server, security, Keys(folder), content, ready, options.build),
        *waits, "--", sys.executable, "-B", os.path.abspath(__file__), "--watch", viewer,
        "--server", server, "--security", security,
        "--vnchl", os.path.join(options.build, "viewer/vnchl"), "--keys", folder,
    ]
    done = subprocess.run(command, env=environment(security, state), stdout=subprocess.PIPE, text=True, check=False)
    text = done.stdout.strip()
    return float(text) * 1000 / options.rtt if text else None


def table(options, folder, servers, viewers):
    """`viewers`: name -> (program, types)."""
    servers = [s for s in servers if shutil.which(SERVERS[s][0])]
    viewers = {v: has for v, has in viewers.items() if has[0] == "vnchl" or shutil.which(has[0])}
    if not servers or not viewers:
        return
    print("| server | security |", " | ".join(viewers), "|")
    print("| --- " * (2 + len(viewers)) + "|")
    for server in servers:
        for security in options.security or TYPES:
            if security not in SERVERS[server][2]:
                continue
            counted = [measure(options, server, security, viewer, folder)
                       if security in types else None for viewer, (_, types) in viewers.items()]
            cells = ["-" if n is None else f"{n:.2f}" for n in counted]
            options.told += [
                (viewer, {"server": server, "security_type": security, "rtt_ms": options.rtt}, {"round trips": n},
                 time.time()) for viewer, n in zip(viewers, counted) if n is not None]
            print(f"| {server} | {security} |", " | ".join(cells), "|", flush=True)
    print()


def tables(options, folder):
    """What connects to a server itself, and what goes by ssh."""
    keys = Keys(folder)
    keys.make()
    subprocess.run(["convert", "-size", "400x300", "xc:gray", "+noise", "Random", os.path.join(folder, NOISE)],
                   check=True)
    servers = [s for s in options.server or SERVERS if s != BY_SSH]
    table(options, folder, servers, {v: has for v, has in VIEWERS.items() if v in (options.viewer or VIEWERS)})
    by_ssh = {v: (program, TYPES) for v, program in ssh_end.VIEWERS.items()
              if v in (options.viewer or ssh_end.VIEWERS)}
    if not by_ssh or BY_SSH not in (options.server or SERVERS):
        return
    if ssh_end.missing():
        print(f"first_picture: {ssh_end.missing()} is not installed: nothing by ssh", file=sys.stderr)
        return
    ssh_end.Ssh(folder).make(keys.password, os.path.join(options.build, "tools/accelerator/vnchl-accel"))
    table(options, folder, [BY_SSH], by_ssh)


def main():
    viewers = (*VIEWERS, *ssh_end.VIEWERS)
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build", help="where meson has built")
    parser.add_argument("--server", action="append", choices=SERVERS)
    parser.add_argument("--viewer", action="append", choices=viewers)
    parser.add_argument("--security", action="append", choices=TYPES)
    parser.add_argument("--rtt", type=float, default=300, help="ms (default 300)")
    parser.add_argument("--repeats", type=int, default=1, help="of all of it (default 1)")
    parser.add_argument("--records", metavar="FILE", help="records for docs/results, too: added to this file")
    parser.add_argument("--watch", choices=viewers, help=argparse.SUPPRESS)
    parser.add_argument("--vnchl", help=argparse.SUPPRESS)
    parser.add_argument("--keys", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.watch:
        watch(options)
        return
    options.build, options.told = os.path.abspath(options.build), []
    read, write = os.pipe()
    display = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1000x800x24", "-noreset"],
                               pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as f, tempfile.TemporaryDirectory() as folder:
            os.environ["DISPLAY"] = ":" + f.readline().strip()
            for _ in range(options.repeats):
                tables(options, tempfile.mkdtemp(dir=folder))
    finally:
        display.terminate()
        display.wait()
    if options.records:
        of_program(options.records, "first-picture", os.path.join(options.build, "viewer/vnchl"), options.told)


if __name__ == "__main__":
    main()
