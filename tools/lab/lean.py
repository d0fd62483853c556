#!/usr/bin/env python3
"""What a viewer's window takes: memory, start, wake-ups, CPU time, delay. vnchl's beside TigerVNC's, in
turn, against the same kind of server on this machine. docs/lean.md says what each figure means."""
import argparse
import json
import os
import statistics
import subprocess
import sys
import time

import records
from bench import ServerBench, percentile
from client_agent import eye_events, viewer_environment
from display import start_with_displayfd
from processes import RunFailed, Table, end, last_line, start, wait_until
from viewers import VIEWERS

BUILD = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir, "build")
TOOLS = {"vnchl": "viewer/vnchl", "content": "tools/lab/content/vnchl-lab-content",
         "eye": "tools/lab/eye/vnchl-lab-eye", "wire": "tools/lab/wire/vnchl-lab-wire"}
COMMANDS = {
    "vnchl": ["--alert-on-fatal-error=off", "--recent", "off", "--remote-resize", "off"],
    "tigervnc": ["xtigervncviewer", "-SecurityTypes", "None", "-MenuKey", "", "-RemoteResize=0"],
}
ROOM = 120  # pixels of the display beside the window
MOVING_S, STILL_S, SETTLED_S, LIMIT_S = 10, 40, 5, 30
FILM = {"scene": "video", "size": "640x360", "fps": 30}
FAST = {"scene": "video", "size": "960x540", "fps": 60}
LARGE = {"scene": "video", "size": "1280x720", "fps": 60}
SPARSE = {"scene": "video", "size": "640x360", "fps": 10}  # each picture is shown before the next comes
STILL = {"scene": "letter", "size": "408x240", "fps": 1}  # nobody presses a key
SAMPLES = 100


class Bench(ServerBench):
    """A server with its content, and a display: for one viewer, once."""

    def __init__(self, tools, size, content):
        super().__init__(tools, content, size)
        self.room = "x".join(str(int(pixels) + ROOM) for pixels in size.split("x"))

    def start(self):
        super().start()
        screen, self.display = start_with_displayfd(
            ["Xvfb", "-screen", "0", f"{self.room}x24", "-fbdir", self.folder, "-nolisten", "tcp",
             "-noreset"], self.desk.log("display"))
        self.desk.keep(screen)

    @property
    def screen(self):
        return os.path.join(self.folder, "Xvfb_screen0")

    def view(self, name, port=None, more=()):
        """Starts a viewer; (process, when)."""
        env = viewer_environment(self.folder, VIEWERS[name], self.display)
        command = COMMANDS[name] if name != "vnchl" else [self.desk.tools["vnchl"], *COMMANDS[name]]
        argv = [*command, *more, f"127.0.0.1::{port or self.port}"]
        at = time.monotonic()
        return self.desk.keep(start(argv, self.desk.log("viewer"), env)), at

    def watch(self, viewer, duration=MOVING_S):
        """The events of an eye on the display, after a warm-up."""
        eye = self.desk.keep(start(
            [self.desk.tools["eye"], "--frame-buffer", self.screen, "--warm-up", "1", "--duration",
             str(duration), "--limit", str(LIMIT_S)], self.desk.log("eye"), stdout=subprocess.PIPE))
        ended = False
        for event in eye_events(eye, lambda: 0.1):
            yield event
            ended = event["event"] == "end"
        eye.stdout.close()
        if not ended or viewer.poll() is not None:
            raise RunFailed(f"{last_line(self.desk.log('eye'), '')} {last_line(self.desk.log('viewer'))}")


def processes_of(pid):
    """A viewer and all processes that it has started."""
    return Table().tree([pid])


def memory_mb(pid):
    """RSS and PSS of a viewer's processes, MB. vnchl's are kept from all but root."""
    kb = {"Rss": 0, "Pss": 0}
    for one in processes_of(pid):
        with open(f"/proc/{one}/smaps_rollup", encoding="ascii") as file:
            for line in file:
                name, _, rest = line.partition(":")
                if name in kb:
                    kb[name] += int(rest.split()[0])
    return kb["Rss"] / 1024, kb["Pss"] / 1024


def wake_ups(pid):
    """How often a viewer's threads have gone to sleep so far, in all its processes. Those
    that have ended are left out."""
    total = 0
    for one in processes_of(pid):
        for thread in os.listdir(f"/proc/{one}/task"):
            status = f"/proc/{one}/task/{thread}/status"
            with open(status, encoding="utf-8", errors="replace") as file:
                total += next(int(l.split()[1]) for l in file
                              if l.startswith("voluntary_ctxt_switches"))
    return total


def start_and_memory(size):
    """The first picture, and memory then and later."""
    def measure(name, tools):
        with Bench(tools, size, FILM) as bench:
            viewer, at = bench.view(name)
            figures = {}
            for event in bench.watch(viewer):
                if event["event"] == "first_picture":
                    figures[f"first picture {size}, ms"] = (event["at_s"] - at) * 1000
                    resident, proportional = memory_mb(viewer.pid)
                    figures[f"RSS {size} first picture, MB"] = resident
                    figures[f"PSS {size} first picture, MB"] = proportional
                elif event["event"] == "end":
                    resident, proportional = memory_mb(viewer.pid)
                    figures[f"RSS {size} moving, MB"] = resident
                    figures[f"PSS {size} moving, MB"] = proportional
        return figures
    return measure


def idle(name, tools):
    """Wake-ups while nothing happens."""
    with Bench(tools, "1024x768", STILL) as bench:
        viewer, _ = bench.view(name)
        time.sleep(SETTLED_S)
        before = wake_ups(viewer.pid)
        time.sleep(STILL_S)
        return {f"wake-ups in {STILL_S} s of a still screen": wake_ups(viewer.pid) - before}


def cpu_share(viewer, before=0.0):
    """CPU time of a viewer and its child processes since `before`, in shares of the time measured."""
    return (Table().cpu_s([viewer.pid]) - before) / MOVING_S


def busy(film):
    """CPU time at 1:1."""
    def measure(name, tools):
        with Bench(tools, "1920x1080", film) as bench:
            viewer, _ = bench.view(name)
            before = 0
            for event in bench.watch(viewer):
                if event["event"] == "begin":
                    before = Table().cpu_s([viewer.pid])
                elif event["event"] == "end":
                    cpu = cpu_share(viewer, before)
                    fps = event["sightings"]["fps"]
                    where = f"film of {film['size']}, 1:1"
                    return {f"CPU, {where}, % of a core": cpu * 100, f"frames/s seen, {where}": fps,
                            f"CPU of a frame seen, {where}, ms": cpu * 1000 / fps if fps else 0}
        raise RunFailed("the eye ended early")
    return measure


def shrunk(film):
    """The same in a smaller window. TigerVNC's viewer cannot scale: it shows it 1:1."""
    def measure(name, tools):
        with Bench(tools, "1920x1080", film) as bench:
            report = os.path.join(bench.folder, "viewer.json")
            more = ["--geometry", "1280x900", "--json", report] if name == "vnchl" else []
            viewer, _ = bench.view(name, more=more)
            time.sleep(SETTLED_S)
            before = Table().cpu_s([viewer.pid])
            time.sleep(MOVING_S)
            cpu = cpu_share(viewer, before)
            where = f"film of {film['size']}, in 1280x900"
            figures = {f"CPU, {where} (TigerVNC's: 1:1), % of a core": cpu * 100}
            if name != "vnchl":
                return figures
            end([viewer])
            try:
                with open(report, encoding="utf-8") as file:
                    fps = json.load(file)["fps"]
            except (OSError, ValueError, KeyError):
                raise RunFailed(last_line(bench.desk.log("viewer"))) from None
            return figures | {f"updates/s received, {where}": fps,
                              f"CPU of an update, {where}, ms": cpu * 1000 / fps if fps else 0}
    return measure


def delays(name, tools):
    """From the socket to the screen, and from a key to the socket."""
    with Bench(tools, "1920x1080", SPARSE) as bench:
        log = bench.desk.log("wire")
        wire = bench.desk.keep(start(
            [bench.desk.tools["wire"], bench.screen, f":{bench.display}", str(bench.port), str(SAMPLES)],
            log))

        def port():
            with open(log, encoding="utf-8", errors="replace") as file:
                line = file.readline()
            return int(line.rpartition(":")[2]) if line.startswith("listening on") else 0

        if not wait_until(port, LIMIT_S, [wire]):
            raise RunFailed(last_line(log))
        bench.view(name, port())
        wait_until(lambda: False, 4 * LIMIT_S, [wire])
        if wire.poll() != 0:
            raise RunFailed(last_line(log))
        with open(log, encoding="utf-8") as file:
            times = json.loads(file.readlines()[-1])
    return {f"{what.replace('_ms', '').replace('_', ' ')} p{share}, ms": percentile(times[what], share)
            for what in ("wire_to_screen_ms", "input_to_wire_ms") for share in (50, 95)}


PARTS = {"small": start_and_memory("1024x768"), "large": start_and_memory("3840x2160"), "idle": idle,
         "busy": busy(FAST), "busy-large": busy(LARGE), "shrunk": shrunk(FAST), "shrunk-large": shrunk(LARGE),
         "delays": delays}
MEMORY = ("small", "large")  # they look at memory
LOWER = 10  # below, a figure has two digits behind the point


def shown(value):
    """A figure as text."""
    return f"{value:.2f}" if abs(value) < LOWER else f"{value:.0f}"


def spread(values):
    """Median, smallest and largest."""
    return {"median": statistics.median(values), "min": min(values), "max": max(values)}


def summary(runs):
    """figure -> viewer -> spread, and the ratio of the medians."""
    figures = {}
    for run in runs:
        for figure, value in run["figures"].items():
            figures.setdefault(figure, {}).setdefault(run["viewer"], []).append(value)
    table = {}
    for figure, by_viewer in figures.items():
        row = {viewer: spread(values) for viewer, values in by_viewer.items()}
        if len(row) == 2 and row["tigervnc"]["median"]:
            row["ratio"] = row["vnchl"]["median"] / row["tigervnc"]["median"]
        table[figure] = row
    return table


def print_table(table):
    """As Markdown."""
    print("| figure | vnchl | TigerVNC's viewer | ratio |\n| --- | --- | --- | --- |")
    for figure, row in table.items():
        cells = [f"{shown(s['median'])} ({shown(s['min'])} .. {shown(s['max'])})" if s else "-"
                 for s in (row.get("vnchl"), row.get("tigervnc"))]
        print(f"| {figure} | {cells[0]} | {cells[1]} | {row['ratio']:.2f} |" if "ratio" in row
              else f"| {figure} | {cells[0]} | {cells[1]} | |")


def measure(options):
    """All runs, in turn; a run that fails is told, and counts for nothing."""
    tools = {name: os.path.join(options.build, path) for name, path in TOOLS.items()}
    runs, failed = [], 0
    for repeat in range(options.repeats):
        for part in options.parts:
            for viewer in ("vnchl", "tigervnc") if repeat % 2 == 0 else ("tigervnc", "vnchl"):
                print(f"lean: {part}, {viewer}, {repeat + 1} of {options.repeats}", file=sys.stderr)
                began = time.time()
                try:
                    runs.append({"part": part, "viewer": viewer, "figures": PARTS[part](viewer, tools),
                                 "began": began})
                except RunFailed as error:
                    failed += 1
                    print(f"lean: a run failed: {error}", file=sys.stderr)
    return runs, failed


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(prog="tools/lean.sh", description=__doc__)
    parser.add_argument("--repeats", type=int, default=5, help="of each run [5]")
    parser.add_argument("--json", default="lean.json", help="the file for all figures [lean.json]")
    parser.add_argument("--records", metavar="FILE", help="records for docs/results, too: added to this file")
    parser.add_argument("--build", default=BUILD, help="where the programs are built [build]")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)} [all]")
    options = parser.parse_args()
    unknown = [p for p in options.parts if p not in PARTS]
    if unknown or options.repeats < 1:
        parser.error(f"there is no part {unknown[0]}" if unknown else "--repeats takes 1 or more")
    options.parts = options.parts or list(PARTS)
    private = [p for p in options.parts if p in MEMORY]
    if private and os.geteuid() != 0:
        parser.error(f"{' and '.join(private)}: only root may look into vnchl's memory; "
                     "run it as root, or name other parts")
    return options


def main():
    """Measures, prints, writes; fails when a run has."""
    options = arguments()
    runs, failed = measure(options)
    table = summary(runs)
    print_table(table)
    with open(options.json, "w", encoding="ascii") as file:
        json.dump({"repeats": options.repeats, "figures": table, "runs": runs}, file, indent=1)
        file.write("\n")
    if options.records:
        records.of_program(options.records, "lean", os.path.join(options.build, TOOLS["vnchl"]),
                           [(run["viewer"], {"part": run["part"]}, run["figures"], run["began"]) for run in runs])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
