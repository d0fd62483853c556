#!/usr/bin/env python3
"""How long it takes until the first picture is whole in the viewer, and how often the viewer waits for an
answer meanwhile, on the five networks of table 2 in Czerwinski and Joseph, "Using Simple Remote Evaluation to
Enable Efficient Application Protocols in Mobile Environments".

    tools/networks.py --build build [--network NAME]... [--viewer NAME]... [--security TYPE] [--repeats N]
                      [--json FILE]

Prints a table of medians: waits, seconds, bytes from the server. docs/networks.md says what each is. Needs
what tools/linkem needs, Xvfb, ImageMagick, and TigerVNC's server and viewer.

The server's screen stands still and has 1024x768 pixels: the lab's picture of a desktop (scene `inactive`),
the same in all runs. The picture is whole when no pixel in the viewer's window differs from it. Time
counts from the viewer's SYN. Run it while nothing else runs.
"""
import argparse
import json
import os
import shlex
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lab"))

from records import of_program  # noqa: E402
from picture import packets  # noqa: E402
from picture.ends import PORT, PUSHED, Keys, environment, pushed, server_command, viewer_command  # noqa: E402
from picture.screen import Look, Screen  # noqa: E402

WIDTH, HEIGHT = 1024, 768
SIZE = f"{WIDTH}x{HEIGHT}"
NETWORKS = {  # name: round trip, ms; rate, kbit/s
    "100 Mbps Ethernet": (0.21, 66560.2),
    "10 Mbps Ethernet": (1.23, 7335.7),
    "WaveLAN": (3.8, 1120.7),
    "Modem": (154.5, 33.8),
    "Metricom": (672, 20.4),
}
# Viewers that follow each other at one server, with one memory: name of the column -> viewer
DIRECT = {"TigerVNC": "TigerVNC", "vnchl, the first time": "vnchl", "vnchl, later": "vnchl"}
FAR_END = {"vnchl pushed, the first time": "vnchl", "vnchl pushed, later": "vnchl"}
WAYS = {"TigerVNC": DIRECT, PUSHED: FAR_END}
COLUMNS = (*DIRECT, *FAR_END)
TYPES = ("None", "VncAuth", "TLSVnc")
NEEDED = ("Xtigervnc", "xtigervncviewer", "Xvfb", "convert", "display", "import", "xsetroot")
# at the upper left corner, or near it; and nothing about a menu key over the picture
PLAIN_WINDOW = {"TigerVNC": ("-geometry", f"{SIZE}+0+0", "-MenuKey", ""),
                "vnchl": ("--geometry", f"{SIZE}+0+0", "--menu-key", "none")}
CONTENT = "tools/lab/content/vnchl-lab-content"
PNG, PIXELS = "desktop.png", "desktop.bgra"
NO_POINTER = "no-pointer.xbm"  # servers may draw one into the picture
PATIENCE = 900  # s for one picture
LOOKS_S = 0.002
GRACE_S = 10  # for a viewer that is told to end


def say(text):
    print(f"networks: {text}", file=sys.stderr, flush=True)


def draw(build, folder):
    """The desktop, in two files."""
    screen = Screen(folder, SIZE)
    env = dict(os.environ, DISPLAY=screen.display)
    content = subprocess.Popen([os.path.join(build, CONTENT), "inactive", "--size", SIZE, "--fps", "0.01"],
                               env=env, stdout=subprocess.PIPE)
    try:
        if content.stdout.readline() != b"ready\n":
            sys.exit("networks: the lab's content does not start")
        path = os.path.join(folder, PNG)
        subprocess.run(["import", "-window", "root", path], env=env, check=True)
    finally:
        content.terminate()
        content.wait()
        screen.close()
    with open(os.path.join(folder, NO_POINTER), "w", encoding="ascii") as file:
        file.write("#define p_width 8\n#define p_height 1\nstatic char p_bits[] = {0};\n")
    subprocess.run(["convert", path, "-depth", "8", "bgra:" + os.path.join(folder, PIXELS)], check=True)


def end(viewer):
    """As its user ends it, so that it writes down what it has learnt of the server."""
    viewer.terminate()
    try:
        viewer.wait(GRACE_S)
    except subprocess.TimeoutExpired:
        pass
    try:
        os.killpg(viewer.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    viewer.wait()


def one_picture(command, look, rtt, rate, log):
    """What it took until the picture is whole; None: it never was."""
    look.forget()
    with packets.Capture(PORT) as capture:
        whole = seen(command, look, capture, log)
    began = packets.begun(capture.packets)
    if whole is None or began is None:
        return None
    return {"seconds": whole - began, "bytes": packets.received(capture.packets, whole),
            "waits": packets.waits(capture.packets, rtt, rate, whole)}


def seen(command, look, capture, log):
    """When the viewer's picture is whole, s of time.time(); None: it never was."""
    with open(log, "ab") as file:
        viewer = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=file, stderr=file,
                                  start_new_session=True)
    until, whole = time.monotonic() + PATIENCE, None
    while whole is None and viewer.poll() is None and time.monotonic() < until:
        capture.take(LOOKS_S)
        now = time.time()
        if look.whole():
            whole = now
    end(viewer)
    capture.take(LOOKS_S)
    return whole


def watch(options):
    """At the client's end of the link: prints what each of the viewers took, as JSON."""
    rtt, rate = NETWORKS[options.network[0]]
    security, keys = options.security, Keys(options.folder)
    with open(os.path.join(options.folder, PIXELS), "rb") as file:
        look = Look(options.screen, file.read(), WIDTH)
    found = {}
    for column in options.viewer:
        name = WAYS[options.watch][column]
        command = viewer_command(name, os.path.join(options.build, "viewer/vnchl"), options.watch, security, keys,
                                 os.environ["LINKEM_SERVER"])
        report = os.path.join(os.environ["HOME"], "report.json")
        command[1:1] = (*PLAIN_WINDOW[name], *(["--json", report] if name == "vnchl" else []))
        found[column] = one_picture(command, look, rtt / 1000, rate * 1000,
                                    os.path.join(options.folder, "viewer.log"))
        if options.watch == PUSHED and not pushed(report):
            found[column] = None
        time.sleep(1 + 2 * rtt / 1000)  # the server has seen that it has left
    print(json.dumps(found))


def link(options, network, server, columns, folder, screen):
    """What these viewers took, one after the other: {column: figures or None}."""
    state = tempfile.mkdtemp(dir=folder)
    ready = os.path.join(state, "ready")
    rtt, rate = NETWORKS[network]
    picture, pointer = (shlex.quote(os.path.join(folder, name)) for name in (PNG, NO_POINTER))
    content = (f"display -window root {picture} >/dev/null 2>&1; "
               f"xsetroot -cursor {pointer} {pointer} 2>/dev/null")
    command = [
        os.path.join(options.build, "tools/linkem/vnchl-linkem"), "--rtt", f"{rtt}ms", "--rate", f"{rate}k",
        "--server-command", server_command(server, options.security, Keys(folder), content, ready, options.build,
                                           SIZE),
        "--wait-for", ready, "--wait-for", str(PORT), "--",
        sys.executable, "-B", os.path.abspath(__file__), "--watch", server, "--network", network,
        "--security", options.security, "--build", options.build, "--folder", folder, "--screen", screen.file,
        *(word for column in columns for word in ("--viewer", column)),
    ]
    env = dict(environment(options.security, state), DISPLAY=screen.display)
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=False)
    return json.loads(done.stdout) if done.stdout.strip() else dict.fromkeys(columns)


def measure(options, folder):
    """{network: {column: [figures]}}."""
    Keys(folder).make()
    draw(options.build, folder)
    found = {network: {column: [] for column in options.viewer} for network in options.network}
    for number in range(options.repeats):
        for network in options.network:
            for server, ways in WAYS.items():
                # one that comes later needs the first time, measured or not
                columns = [c for c in ways if any(v == c or v.split(",")[0] == c.split(",")[0]
                                                  for v in options.viewer)]
                if not columns:
                    continue
                say(f"{network}, {server}, {number + 1} of {options.repeats}")
                screen = Screen(folder)
                try:
                    took = link(options, network, server, columns, folder, screen)
                finally:
                    screen.close()
                for column, figures in took.items():
                    if figures is None:
                        say(f"no whole picture: {network}, {column}")
                    elif column in options.viewer:
                        found[network][column].append(figures)
    return found


def cell(runs):
    if not runs:
        return "-"
    middle = lambda name: statistics.median(run[name] for run in runs)
    return f"{middle('waits'):g} waits, {middle('seconds'):.3g} s, {middle('bytes') / 1000:.1f} kB"


def told(found, began):
    """The runs for records.of_program()."""
    for network, columns in found.items():
        for column, runs in columns.items():
            for run in runs:
                yield column, {"network": network}, {"waits": run["waits"], "until the picture, s": run["seconds"],
                                                     "from the server, kB": run["bytes"] / 1000}, began


def print_table(found):
    columns = next(iter(found.values()))
    print("| network |", " | ".join(columns), "|")
    print("| --- " * (1 + len(columns)) + "|")
    for network, row in found.items():
        rtt, rate = NETWORKS[network]
        print(f"| {network}: {rtt:g} ms, {rate:g} kbit/s |", " | ".join(map(cell, row.values())), "|")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build", help="where meson has built")
    parser.add_argument("--network", action="append", choices=NETWORKS)
    parser.add_argument("--viewer", action="append", choices=COLUMNS)
    parser.add_argument("--security", default="None", choices=TYPES, help="default None: the fewest questions")
    parser.add_argument("--repeats", type=int, default=5, help="of each (default 5)")
    parser.add_argument("--json", help="a file for the figures of all runs")
    parser.add_argument("--records", metavar="FILE", help="records for docs/results, too: added to this file")
    parser.add_argument("--watch", choices=WAYS, help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    parser.add_argument("--screen", help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.build = os.path.abspath(options.build)
    options.network, options.viewer = options.network or list(NETWORKS), options.viewer or list(COLUMNS)
    if options.repeats < 1:
        parser.error("--repeats takes 1 or more")
    return options


def main():
    options, began = arguments(), time.time()
    if options.watch:
        watch(options)
        return 0
    missing = next((name for name in NEEDED if not shutil.which(name)), None)
    if missing:
        say(f"{missing} is not installed")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        found = measure(options, folder)
    print_table(found)
    if options.json:
        with open(options.json, "w", encoding="ascii") as file:
            json.dump(found, file, indent=1)
    if options.records:
        of_program(options.records, "networks", os.path.join(options.build, "viewer/vnchl"), told(found, began))
    return 0


if __name__ == "__main__":
    sys.exit(main())
