"""Makes runs: single ones through vnchl-linkem, and all of an experiment, in lanes, with their records.

Whatever happens to this process, nothing stays: linkem is told when it dies and ends its children;
the agents remove the run's folder when nobody else is left to do it.
"""
import datetime
import itertools
import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

import accelerator
import contents
import credentials
import link
import packets
import records
from processes import die_with, last_line, start_time, wait_until
from progress import Progress
from servers import SERVERS
from viewers import VIEWERS

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOLS = {"vnchl": "viewer/vnchl", "linkem": "tools/linkem/vnchl-linkem",
         "content": "tools/lab/content/vnchl-lab-content", "eye": "tools/lab/eye/vnchl-lab-eye",
         "demo-server": "tools/demo/vnchl-demo-server",
         "accel": "tools/accelerator/vnchl-accel"}
FOLDER_PREFIX = "vnchl-lab-"
LINKEM_FAILED = 125
VISIT_S = 3  # for an earlier visit, besides its start
FIRST_MBIT = 1  # about what a first picture has: a web page more, a letter on an empty desktop less


class LabFailed(Exception):
    """Nothing can be run here: one line."""


class Stopped(Exception):
    """The run was given up; there is nothing to record."""


def tools_in(build):
    """The programs of a build folder."""
    return {name: os.path.join(os.path.abspath(build), path) for name, path in TOOLS.items()}


def missing(settings):
    """What a run needs and there is not, as one line; None when there is all."""
    server, viewer = SERVERS[settings["server"]], VIEWERS[settings["viewer"]]
    programs = {**server.programs, **viewer.programs, **contents.programs(settings),
                **credentials.programs(settings)}
    if server.protocol != viewer.protocol:
        return (f"the viewer {settings['viewer']} speaks {viewer.protocol}, the server {settings['server']} "
                f"{server.protocol}")
    if server.protocol != "RFB" and settings["through"] != "direct":
        return f"vnchl-accel passes on RFB, the server {settings['server']} speaks {server.protocol}"
    if settings["security"] not in server.security:
        return f"the server {settings['server']} has no security of the kind {settings['security']} here"
    tls = settings["security"] == "x509" or (settings["security"], settings["server"]) == ("default", "tigervnc")
    if tls and settings["through"] in accelerator.NEAR:
        return ("an accelerator at the viewer's end cannot read TLS: set security to none, or through to direct or "
                "accel")
    if settings["content"]["scene"] not in server.scenes:
        return (f"the server {settings['server']} shows the scene {', '.join(server.scenes)} only, "
                f"not {settings['content']['scene']}")
    if viewer.gateway == "server" and settings["through"] in accelerator.NEAR:
        return (f"with {settings['viewer']} no RFB crosses the link: an accelerator at the viewer's end has "
                "nothing to read; take novnc-near")
    if viewer.is_screen and settings["visits"]:
        return f"with {settings['viewer']} the screen itself is the viewer, which cannot end: set visits to 0"
    if settings["viewer"] != "vnchl-headless":
        programs["Xvfb"] = "xvfb"
    elif settings["press"] != "key":
        return "vnchl-headless presses keys only: set press to key, or take another viewer"
    elif settings["visits"]:
        return "vnchl-headless shows no picture before it is measured: set visits to 0, or take another viewer"
    elif settings["link"]["packets"]:
        return ("vnchl-headless does not tell when it was measured: set link.packets to false, or take another "
                "viewer")
    there = lambda p: os.path.exists(p) if os.path.isabs(p) else shutil.which(p)
    lacking = {p: package for p, package in programs.items() if not there(p)}
    return (f"{', '.join(sorted(lacking))} not installed: apt-get install "
            + " ".join(sorted(set(lacking.values())))) if lacking else None


def check_built(settings, tools):
    """Raises LabFailed when a program of this project was not built."""
    own = {"linkem", *SERVERS[settings["server"]].tools, *VIEWERS[settings["viewer"]].tools}
    if settings["viewer"] != "vnchl-headless":
        own.add("eye")
    if settings["through"] != "direct":
        own.add("accel")
    for path in (tools[name] for name in sorted(own)):
        if not os.access(path, os.X_OK):
            raise LabFailed(f"{path} is not there: build it (tools/setup.sh build lab, meson, ninja), or "
                            "name the build folder with --build")


def seconds(settings):
    """About how long a run takes."""
    rtt, rate = settings["link"]["rtt_ms"] / 1000, settings["link"]["rate_mbit"]
    start = 1.5 + 8 * rtt + (FIRST_MBIT / rate if rate else 0)
    return settings["warm_up_s"] + settings["duration_s"] + start + settings["visits"] * (VISIT_S + start)


def _sweep():
    """Removes folders of runs whose runner was killed outright, and whose agents were, too."""
    base = tempfile.gettempdir()
    for name in os.listdir(base):
        if not name.startswith(FOLDER_PREFIX):
            continue
        try:
            with open(os.path.join(base, name, "settings.json"), encoding="utf-8") as file:
                task = json.load(file)
        except (OSError, ValueError):
            continue
        if not task["keep"] and start_time(task["runner_pid"]) != task["runner_start"]:
            shutil.rmtree(os.path.join(base, name), ignore_errors=True)


class Runner:
    """Makes single runs, up to `jobs` at a time, each in a thread of its own."""

    def __init__(self, build, keep=False, jobs=1):
        self.tools = tools_in(build)
        self.keep, self.jobs = keep, jobs
        self.stopping = threading.Event()  # no run begins any more, those under way end
        self.machine = records.machine()
        self.version = records.own_version(ROOT, self.tools["vnchl"])
        self.packages = {}
        self.link_failed = None  # why no run can be made here
        _sweep()

    def _versions(self, settings):
        versions = {"vnchl": self.version}
        for kind, entry in (("server", SERVERS[settings["server"]]),
                            ("viewer", VIEWERS[settings["viewer"]])):
            if entry.package:
                if entry.package not in self.packages:
                    self.packages[entry.package] = records.package_version(entry.package)
                versions[entry.package] = self.packages[entry.package]
        return versions

    def record(self, run):
        """Makes a run; its record, whether it succeeded or not. Raises Stopped when it was given up."""
        started, begin = datetime.datetime.now(datetime.timezone.utc), time.monotonic()
        lacking = missing(run.settings)
        result = {"ok": False, "error": lacking, "missing": True} if lacking else self._run(run)
        result["jobs"] = self.jobs
        record = {"experiment": run.experiment, "key": run.key, "system": run.system, "cell": run.cell,
                  "settings": run.settings, "machine": self.machine,
                  "versions": self._versions(run.settings),
                  "started": started.isoformat(timespec="seconds").replace("+00:00", "Z"),
                  "took_s": round(time.monotonic() - begin, 2), "result": result}
        doubts = records.doubts(run.settings, result) if result["ok"] else []
        if doubts:
            result["warning"] = "; ".join(doubts)
        return record

    def _run(self, run):
        folder = tempfile.mkdtemp(prefix=FOLDER_PREFIX)
        try:
            return self._run_in(folder, run.settings)
        finally:
            if self.keep:
                print(f"kept {folder}", flush=True)
            else:
                shutil.rmtree(folder, ignore_errors=True)

    def _run_in(self, folder, settings):
        task = {"settings": settings, "tools": self.tools, "keep": self.keep,
                "runner_pid": os.getpid(), "runner_start": start_time(os.getpid())}
        with open(os.path.join(folder, "settings.json"), "w", encoding="utf-8") as file:
            json.dump(task, file)
        stats, log = os.path.join(folder, "linkem.json"), os.path.join(folder, "linkem.log")
        table = os.path.join(folder, "packets.csv")
        argv = link.arguments(settings, self.tools["linkem"], stats, table,
                              link.agent("server_agent", folder), link.agent("client_agent", folder))
        limit = settings["warm_up_s"] + settings["duration_s"] + 60 + \
            settings["limit_s"] * (1 + settings["visits"])
        with open(log, "ab") as file:
            process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=file, stderr=file,
                                       start_new_session=True, preexec_fn=die_with(os.getpid()))
        try:
            wait_until(self.stopping.is_set, limit, [process])
            status = process.poll()
        finally:
            _end_link(process)
        if self.stopping.is_set():
            raise Stopped
        result = _read(os.path.join(folder, "result.json"))
        if result is None:
            if status == LINKEM_FAILED:
                self.link_failed = last_line(log)
            result = {"ok": False, "error": f"the run took longer than {limit:g} s" if status is None
                      else last_line(log, f"the link ended with status {status}")}
        result["linkem"] = _read(stats)
        measured = result.pop("measured_s", None)
        if settings["link"]["packets"] and result["ok"]:
            lacking = last_line(log) if status == LINKEM_FAILED else None
            result["packets"] = _packets(table, settings, result, measured, lacking)
        return result


def _packets(table, settings, result, measured, lacking):
    """What the table of packets says of the measured part; an error where it is `lacking`, or no table."""
    if lacking:
        return {"error": lacking}
    begin, end = (round(1e6 * at) for at in measured)
    try:
        return packets.figures(table, settings, result, begin, end)
    except packets.PacketsError as error:
        return {"error": str(error)}


def _end_link(process):
    """Ends a link that is still there; linkem ends everything it started."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return None


def _in_lanes(runner, runs, begin, done):
    """Makes runs, runner.jobs at a time. They begin in their order; begin(run) and done(run, record) are
    called in this thread. Whatever ends this ends the runs that are under way.

    The pool's threads stay until the last run has ended, as the links they started need it (die_with).
    """
    waiting, lanes = iter(runs), {}
    with ThreadPoolExecutor(runner.jobs) as pool:
        try:
            while True:
                for run in itertools.islice(waiting, runner.jobs - len(lanes)):
                    begin(run)
                    lanes[pool.submit(runner.record, run)] = run
                if not lanes:
                    break
                for lane in wait(lanes, return_when=FIRST_COMPLETED).done:
                    done(lanes.pop(lane), lane.result())
        except BaseException:
            runner.stopping.set()
            raise


def run_experiment(runner, experiment, store, runs, retry=False):
    """Makes those runs of an experiment that were not made yet."""
    todo = [r for r in runs if store.wants(r.key, retry)]
    for run in todo:
        check_built(run.settings, runner.tools)
    others = {v for v in store.versions if v} - {runner.version}

    def done(run, record):
        store.add(record)
        result = record["result"]
        if not result["ok"]:
            progress.say(f"failed: {run.line()}: {result['error']}")
        elif "warning" in result:
            progress.say(f"doubtful: {run.line()}: {result['warning']}")
        progress.done(run.line(), seconds(run.settings), record["took_s"], _figures(result))
        if runner.link_failed:
            raise LabFailed(runner.link_failed)

    with Progress(experiment.name, [seconds(r.settings) for r in todo], len(runs),
                  runner.jobs) as progress:
        if others and todo:
            progress.say(f"the file also holds records of vnchl {', '.join(sorted(others))}; this is "
                         f"{runner.version}")
        _in_lanes(runner, todo, lambda run: progress.begin(run.line()), done)


def _figures(result):
    """The figures of a run for its line."""
    if not result["ok"]:
        return "failed"
    seen = result["sightings"]
    parts = [f"{seen['fps']:.1f} fps", f"longest gap {seen['still_ms']:.0f} ms"]
    for name, key in (("age", "age_ms"), ("response", "response_ms")):
        if seen.get(key):
            parts.append(f"{name} {seen[key]['p50']:.0f} ms")
    if seen["responses_lost"]:
        parts.append(f"{seen['responses_lost']} of {seen['presses']} presses not answered")
    psnr = (result.get("picture") or {}).get("psnr_db")
    if psnr:
        parts.append(f"{psnr['p50']:.1f} dB")
    return ", ".join(parts)
