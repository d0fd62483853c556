#!/usr/bin/env python3
"""Many viewers at one vnchl-accel, to which it pushes over one far link: desktops on which somebody types,
and a film on the last one. How long the answer to a key takes each of them, and what vnchl-accel costs.
docs/accelerator.md says what each figure means."""
import argparse
import contextlib
import os
import shlex
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import agent
import records
from bench import ServerBench, exit_status, free_port, percentile, write_record
from processes import RunFailed, Table, end, last_line, start, wait_until

BUILD = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir, "build")
TOOLS = {"accel": "tools/accelerator/vnchl-accel", "content": "tools/lab/content/vnchl-lab-content",
         "linkem": "tools/linkem/vnchl-linkem", "vnchl": "viewer/vnchl"}
SCREEN = "800x600"
TYPING = {"scene": "typing", "size": "640x360", "fps": 5}
FILM = {"scene": "video", "size": "640x360", "fps": 30}
PRESS_EVERY_MS = 470
ALLOWED_MS = 80  # beyond the round trip
READY, FOUND = "ready.json", "found.json"
START_S = 300  # for all servers; for a viewer's first picture
OWN, SESSION = "vnchl-accel", "vnchl-session"


def content_of(number, clients):
    """What stands on each desktop: the last one has the film."""
    return FILM if number == clients - 1 else TYPING


def configuration(ports):
    """vnchl-accel's file for (its own port, the server's) pairs."""
    lines = ["[accelerator]", f"clients = {len(ports)}", f"clients-per-address = {len(ports)}", "drain = 0"]
    for number, (own, server) in enumerate(ports):
        lines += [f"[desk{number}]", f"listen = *:{own}", f"server = 127.0.0.1::{server}"]
    return "\n".join(lines) + "\n"


def serve(options):
    """At the server's end: until we are told to end, or something else does."""
    folder, tools = options.folder, options.tools
    with contextlib.ExitStack() as desks:
        benches = [desks.enter_context(ServerBench(tools, content_of(number, options.clients), SCREEN))
                   for number in range(options.clients)]
        ports = [(free_port(), bench.port) for bench in benches]
        file, log = (os.path.join(folder, name) for name in ("accel.conf", "accel.log"))
        with open(file, "w", encoding="ascii") as config:
            config.write(configuration(ports))
        state = os.path.join(folder, "accel-state")
        os.mkdir(state, 0o700)
        accel = start([tools["accel"], "--config", file, "--state", state], log)
        desks.callback(end, [accel])
        for own, _ in ports:
            benches[0].await_port(own, accel, log)
        agent.write_json(folder, READY, {"accel_pid": accel.pid, "ports": [own for own, _ in ports]})
        running = [accel, *(p for bench in benches for p in bench.desk.processes)]
        while all(p.poll() is None for p in running):
            time.sleep(0.1)
        ended = next(p for p in running if p.poll() is not None)
        raise RunFailed(f"{ended.args[0]} ended: {last_line(log)}")


def pss_mb(pid):
    """Its share of memory, MB."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("Pss:")) / 1024
    except (OSError, StopIteration) as error:
        raise RunFailed(f"the memory of process {pid} cannot be seen: {error}") from None


def name_of(pid):
    """A program's name, as the kernel keeps it."""
    with open(f"/proc/{pid}/comm", encoding="ascii", errors="replace") as file:
        return file.read().strip()


def costs(before, after, accel_pid, seconds):
    """[(program, % of a core, MB)] of vnchl-accel and all that it has started; what had not begun
    before counts from its beginning."""
    return [(name_of(pid), 100 * (after.cpu[pid] - before.cpu.get(pid, 0)) / seconds, pss_mb(pid))
            for pid in sorted(after.tree([accel_pid]))]


def view(options):
    """At the client's end: all viewers at once; what each of them saw, and what it cost."""
    folder = options.folder
    ready = agent.read_json(folder, READY)
    path = lambda kind, number: os.path.join(folder, f"viewer{number}.{kind}")
    viewers = []
    try:
        for number, port in enumerate(ready["ports"]):
            viewers.append(start(
                [options.tools["vnchl"], "--headless", "--marks", "--recent", "off", "--press-every",
                 str(PRESS_EVERY_MS), "--warm-up", f"{options.warm_up:g}", "--duration", f"{options.seconds:g}",
                 "--connect-timeout", str(START_S), "--json", path("json", number),
                 f"{os.environ['LINKEM_SERVER']}::{port}"], path("log", number)))
        # they have come by then, and measure
        time.sleep(options.warm_up + options.seconds / 10)
        before, began = Table(), time.monotonic()
        time.sleep(options.seconds * 0.8)
        after, took = Table(), time.monotonic() - began
        spent = costs(before, after, ready["accel_pid"], took)
        if not wait_until(lambda: all(v.poll() is not None for v in viewers), START_S, step=0.1):
            raise RunFailed("the viewers do not end")
    finally:
        end(viewers)
    clients = []
    for number, viewer in enumerate(viewers):
        report = agent.read_json(folder, f"viewer{number}.json")
        if viewer.returncode != 0 or not report:
            raise RunFailed(f"viewer {number + 1} failed: {last_line(path('log', number))}")
        marks = report["marks"]
        clients.append({"scene": content_of(number, options.clients)["scene"], "pushed": report["pushed"],
                        "fps": marks["fps"], "responses_ms": marks["responses_ms"],
                        "lost": marks["responses_lost"]})
    agent.write_json(folder, FOUND, {"clients": clients, "costs": spent})


def stage(name, options):
    """This program at one end of the link."""
    return [sys.executable, "-B", os.path.abspath(__file__), "--stage", name, "--folder", options.folder,
            "--clients", str(options.clients), "--seconds", str(options.seconds), "--warm-up",
            str(options.warm_up), "--build", options.build]


def measure(options):
    """All figures."""
    with tempfile.TemporaryDirectory(prefix="vnchl-clients-") as options.folder:
        done = subprocess.run(
            [options.tools["linkem"], "--rtt", f"{options.rtt:g}ms", "--rate", f"{options.rate:g}M",
             "--server-command", "exec " + shlex.join(stage("servers", options)), "--wait-for",
             os.path.join(options.folder, READY), "--wait-limit", f"{START_S}s", "--",
             *stage("viewers", options)], check=False)
        found = agent.read_json(options.folder, FOUND)
        if done.returncode != 0 or not found:
            raise RunFailed(f"the run failed (status {done.returncode})")
    return {"rtt_ms": options.rtt, "rate_mbit": options.rate, "seconds": options.seconds, **found}


def response(client, share):
    """ms; infinity when so many presses had no answer."""
    missing = [float("inf")] * client["lost"]
    return percentile(client["responses_ms"] + missing, share) if client["responses_ms"] or missing else float("inf")


def lines(record):
    """The record for people."""
    clients, limit = record["clients"], record["rtt_ms"] + ALLOWED_MS
    yield "| client | content | pushed | frames/s | presses | response p50, ms | p95, ms |"
    yield "| --- " * 7 + "|"
    for number, c in enumerate(clients, 1):
        yield (f"| {number} | {c['scene']} | {'yes' if c['pushed'] else 'no'} | {c['fps']:.1f} | "
               f"{len(c['responses_ms']) + c['lost']} | {response(c, 50):.0f} | {response(c, 95):.0f} |")
    within = sum(response(c, 95) <= limit for c in clients)
    yield f"\np95 within {limit:g} ms (the round trip and {ALLOWED_MS} ms): {within} of {len(clients)} clients"
    spent = record["costs"]
    cpu, memory = (sum(each[column] for each in spent) for column in (1, 2))
    yield (f"vnchl-accel and its processes: {cpu:.1f} % of a core, {memory:.1f} MB; "
           f"per client {cpu / len(clients):.2f} %, {memory / len(clients):.2f} MB")
    sessions = [each for each in spent if each[0] == SESSION]
    rest = [each for each in spent if each[0] != SESSION]
    yield (f"  {OWN} itself ({len(rest)} processes): {sum(e[1] for e in rest):.1f} %, "
           f"{sum(e[2] for e in rest):.1f} MB")
    if sessions:
        yield (f"  {SESSION}, one for each client: median {statistics.median(e[1] for e in sessions):.2f} %, "
               f"{statistics.median(e[2] for e in sessions):.2f} MB; the busiest one "
               f"{max(e[1] for e in sessions):.1f} %, the largest one {max(e[2] for e in sessions):.2f} MB")


def told(record, began):
    """The runs for records.of_program(): each client, and what all of them cost."""
    clients = record["clients"]
    for client in clients:
        yield client["scene"], {"part": "clients"}, {
            "frames per second": client["fps"], "response p50, ms": response(client, 50),
            "response p95, ms": response(client, 95), "unanswered": client["lost"], "pushed": int(client["pushed"]),
        }, began
    cpu, memory = (sum(each[column] for each in record["costs"]) for column in (1, 2))
    yield OWN, {"part": "costs"}, {"CPU, % of a core": cpu, "memory, MB": memory,
                                   "CPU per client, % of a core": cpu / len(clients),
                                   "memory per client, MB": memory / len(clients)}, began


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(prog="tools/accel.sh clients", description=__doc__)
    parser.add_argument("--clients", type=int, default=20, help="viewers; the last one sees the film [20]")
    parser.add_argument("--rtt", type=float, default=100, help="ms, of the link [100]")
    parser.add_argument("--rate", type=float, default=100, help="Mbit/s, of the link [100]")
    parser.add_argument("--warm-up", type=float, default=10, help="s, from a viewer's first picture [10]")
    parser.add_argument("--seconds", type=float, default=30, help="that are measured [30]")
    parser.add_argument("--json", default="accel-clients.json", help="the file for all figures [accel-clients.json]")
    parser.add_argument("--records", metavar="FILE", help="records for docs/results, too: added to this file")
    parser.add_argument("--build", default=BUILD, help="where the programs are built [build]")
    parser.add_argument("--stage", choices=("servers", "viewers"), help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.clients < 1 or options.seconds <= 0 or options.warm_up < 0 or options.rtt < 0 or options.rate < 0:
        parser.error("--clients takes 1 or more, --seconds more than 0, the others no less than 0")
    if os.geteuid() != 0:
        parser.error("only root may look into the memory of vnchl-accel's processes: run it as root")
    options.build = os.path.abspath(options.build)
    options.tools = {name: os.path.join(options.build, path) for name, path in TOOLS.items()}
    return options


def main():
    """Measures, prints, writes."""
    options = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    if options.stage:
        return exit_status("accel", lambda: {"servers": serve, "viewers": view}[options.stage](options))
    began = time.time()

    def work():
        record = measure(options)
        write_record(record, lines, options.json)
        if options.records:
            records.of_program(options.records, "accel-clients", options.tools["vnchl"], told(record, began))

    return exit_status("accel", work)


if __name__ == "__main__":
    sys.exit(main())
