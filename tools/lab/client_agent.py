"""The client's end of a run: starts the viewer on a screen of its own, looks at it with vnchl-lab-eye,
and writes result.json."""
import contextlib
import csv
import json
import os
import select
import shutil
import subprocess
import sys
import time

import accelerator
import agent
import contents
import credentials
import link
from display import SCREEN, start_with_displayfd
import gateway
import update_times
from processes import (TICKS, RunFailed, Table, device_bytes, end, last_line, machine_times, peak_kb,
                       start, start_time, wait_until)
from viewers import OURS, VIEWERS

ANSWER_LIMIT = 30  # s; for a dialog
SERVER_LIMIT = 45  # s; the server's agent gives up before and says why
LOST_GRACE = 2  # s; the eye's, and of vnchl --marks, for presses that have not shown yet
VISITED_S = 1  # of an earlier visit: before and after it is looked at, and until the server knows of its end
VISIT_END = 5  # s, for a viewer to write down what it has learnt
BULK_BYTES = "bulk-bytes"  # what the flows beside the viewer have received

# beside the server, and at this end
ACCELERATORS = ("accel", "accel_near")

# the columns of vnchl's log that count requests for what is new
ASKING = ("requests_reactive", "requests_timer", "requests_input")


class Figures:
    """Samples of /proc that belong to one run, and what the flows beside it have received."""

    def __init__(self, folder, task, server, near, viewer_pids):
        self.beside = os.path.join(folder, BULK_BYTES) if task["settings"]["link"]["bulk_flows"] else None
        self.roots = {"viewer": viewer_pids, "server": [server["server_pid"]],
                      "content": [server["content_pid"]], "own": [task["runner_pid"]]}
        if server["accel_pid"]:
            self.roots["accel"] = [server["accel_pid"]]
        if near:
            self.roots["accel_near"] = [near.pid]

    def sample(self):
        """CPU seconds of all parts, bytes, the machine's times: now."""
        table = Table()
        cpu = {name: table.cpu_s(pids) for name, pids in self.roots.items()}
        return {"at": time.monotonic(), "cpu": cpu, "bytes": device_bytes(), "machine": machine_times(),
                "beside": self._bytes_beside()}

    def _bytes_beside(self):
        if not self.beside or not os.path.exists(self.beside):
            return 0
        with open(self.beside, encoding="utf-8") as file:
            return int(file.read())

    def peaks(self):
        """Peak memory of viewer, server and accelerators, kB."""
        table = Table()
        return {f"rss_{name}_kb": peak_kb(table.tree(self.roots[name]))
                for name in ("viewer", "server", *ACCELERATORS) if name in self.roots}

    def result(self, first, begin, last):
        """What went on between two samples; `first` is the one at the viewer's start."""
        cpu = {name: last["cpu"][name] - begin["cpu"][name] for name in self.roots}
        busy, interrupts, every = (b - a for a, b in zip(begin["machine"], last["machine"]))
        share = lambda seconds: round(min(max(seconds / every, 0), 1), 4) if every > 0 else 0.0
        one_program = self.roots["content"] == self.roots["server"]  # cannot be told apart
        return {
            "sampled_s": round(last["at"] - begin["at"], 3),
            "cpu_viewer_s": round(cpu["viewer"], 2), "cpu_server_s": round(cpu["server"], 2),
            "cpu_content_s": None if one_program else round(cpu["content"], 2),
            **{f"cpu_{name}_s": round(cpu[name], 2) for name in ACCELERATORS if name in cpu},
            "bytes_down": last["bytes"][0] - begin["bytes"][0],
            "bytes_up": last["bytes"][1] - begin["bytes"][1],
            **({"bytes_beside": last["beside"] - begin["beside"]} if self.beside else {}),
            "bytes_down_total": last["bytes"][0] - first["bytes"][0],
            "bytes_up_total": last["bytes"][1] - first["bytes"][1],
            "machine_busy": share(busy), "machine_other": share(busy - interrupts - cpu["own"]),
        }


def link_start():
    """When linkem started its command, which is this process: CLOCK_MONOTONIC s."""
    since_boot = time.clock_gettime(time.CLOCK_BOOTTIME) - time.monotonic()
    return start_time(os.getpid()) / TICKS - since_boot


def await_server(folder):
    """Waits for the server's agent; what it started."""
    if not wait_until(lambda: agent.read_json(folder, "server.json"), SERVER_LIMIT):
        raise RunFailed("the server's agent said nothing: "
                        + last_line(os.path.join(folder, "linkem.log")))
    server = agent.read_json(folder, "server.json")
    if not server["ok"]:
        raise RunFailed(server["error"])
    return server


def check_far_end(folder, near):
    """Raises RunFailed when the server, or an accelerator in front of it, has ended."""
    server = agent.read_json(folder, "server.json")
    if server and not server["ok"]:
        raise RunFailed(server["error"])
    if near and near.poll() is not None:
        raise RunFailed("the accelerator at the viewer's end ended during the run: "
                        + last_line(os.path.join(folder, "accel-near.log")))


def check_running(folder, settings, near, viewer):
    """Raises RunFailed when one of them, or the viewer, has ended."""
    check_far_end(folder, near)
    if viewer.poll() is not None:
        raise RunFailed(f"the viewer {settings['viewer']} ended early (status {viewer.returncode}): "
                        + last_line(os.path.join(folder, "viewer.log")))


def viewer_environment(folder, viewer, display):
    """The environment of a viewer: nothing of the user's but the language and the path."""
    home = os.path.join(folder, "home")
    os.makedirs(home, mode=0o700, exist_ok=True)
    runtime = os.path.join(folder, "runtime")
    os.makedirs(runtime, mode=0o700, exist_ok=True)
    env = {"HOME": home, "XDG_RUNTIME_DIR": runtime, "PATH": os.environ.get("PATH", ""),
           "LANG": "C.UTF-8"}
    if display is not None:
        env["DISPLAY"] = f":{display}"
    env.update(viewer.environment)
    return env


def address(folder, settings, gateway_end, processes):
    """Where the viewer connects to: (host, port). A gateway at this end is started for it."""
    host, port = os.environ["LINKEM_SERVER"], accelerator.far_port(settings)
    if settings["through"] in accelerator.NEAR:
        host, port = accelerator.NEAR_HOST, accelerator.NEAR_PORT
    if gateway_end == "client":
        gateway.start_gateway("127.0.0.1", host, port, os.path.join(folder, "websockify.log"), processes)
        return "127.0.0.1", gateway.PORT
    return host, gateway.PORT if gateway_end else port


def start_viewer(folder, task, processes, near, display):
    """Starts the viewer; (process, when, CLOCK_MONOTONIC s)."""
    settings = task["settings"]
    viewer = VIEWERS[settings["viewer"]]
    host, port = address(folder, settings, viewer.gateway, processes)
    env = viewer_environment(folder, viewer, display)
    if settings["security"] != "none":  # TigerVNC's viewer takes a user's name from there only
        env.update(VNC_USERNAME=credentials.USER, VNC_PASSWORD=credentials.PASSWORD)
    if viewer.prepare:
        viewer.prepare(settings, env["HOME"], host, port)
    argv = viewer.command(settings, host, port, folder, task["tools"])
    if settings["link"]["bulk_flows"]:
        flows = link.bulk("receive", os.environ["LINKEM_SERVER"], settings["link"]["bulk_flows"],
                          os.path.join(folder, BULK_BYTES))
        processes.append(start(flows, os.path.join(folder, "bulk-client.log")))
    for _ in range(settings["visits"]):
        visit(folder, task, near, argv, env)
    at = time.monotonic()
    process = start(argv, os.path.join(folder, "viewer.log"), env)
    processes.append(process)
    if viewer.asks and settings["security"] != "none":
        answer(viewer.asks, process, env)
    return process, at


def visit(folder, task, near, argv, env):
    """The viewer comes to the server, shows a whole picture, and ends as its user ends it, so that it keeps
    what it has learnt."""
    settings, asks = task["settings"], VIEWERS[task["settings"]["viewer"]].asks
    log = os.path.join(folder, "eye.log")
    viewer, eye = start(argv, os.path.join(folder, "viewer.log"), env), None

    def idle():
        check_running(folder, settings, near, viewer)
        return 0.1

    try:
        if asks and settings["security"] != "none":
            answer(asks, viewer, env)
        eye = start([task["tools"]["eye"], "--frame-buffer", os.path.join(folder, "Xvfb_screen0"), "--warm-up",
                     f"{VISITED_S}", "--duration", "0.5", "--limit", f"{settings['limit_s']:g}"], log,
                    stdout=subprocess.PIPE)
        if not any(event["event"] == "end" for event in eye_events(eye, idle)):
            raise RunFailed(f"the viewer {settings['viewer']} never showed the marks before: {last_line(log)}")
        viewer.terminate()  # without its own processes, of which it may ask something yet
        if not wait_until(lambda: viewer.poll() is not None, VISIT_END):
            raise RunFailed(f"the viewer {settings['viewer']} did not end within {VISIT_END} s of its visit: it may "
                            "have kept nothing")
        if settings["viewer"] in OURS and viewer.returncode != 0:
            raise RunFailed(f"the viewer {settings['viewer']} ended its visit with status {viewer.returncode}: "
                            + last_line(os.path.join(folder, "viewer.log")))
    finally:
        end([eye, viewer])
    with contextlib.suppress(FileNotFoundError):
        os.remove(os.path.join(folder, "viewer.json"))
    time.sleep(VISITED_S)


def answer(window, viewer, env):
    """Types the password into the viewer's dialog. There is no window manager: what is typed goes to the
    window below the pointer."""
    find = ["xdotool", "search", "--onlyvisible", "--name", window]
    found = lambda: subprocess.run(find, env=env, capture_output=True, text=True, check=False).stdout
    if not wait_until(found, ANSWER_LIMIT, [viewer]):
        raise RunFailed(f"the viewer did not ask for the password in a window named '{window}'")
    subprocess.run(["xdotool", "mousemove", "--window", found().split()[0], "120", "20", "click", "1", "type",
                    credentials.PASSWORD], env=env, check=True)
    subprocess.run(["xdotool", "key", "Return"], env=env, check=True)


def eye_events(eye, idle):
    """The eye's lines as they come. Meanwhile `idle()` is called, which says in how many seconds it
    wants to be called again."""
    rest = b""
    while True:
        ready, _, _ = select.select([eye.stdout], [], [], idle())
        if not ready:
            continue
        got = os.read(eye.stdout.fileno(), 1 << 16)
        if not got:
            return
        *lines, rest = (rest + got).split(b"\n")
        for line in lines:
            if line.strip():
                yield json.loads(line)


def watch_screen(folder, task, processes):
    """A viewer with a window, seen by the eye."""
    try:
        return _watch_screen(folder, task, processes)
    finally:
        if task["keep"]:  # what was on the screen last
            try:
                shutil.copyfile(os.path.join(folder, "Xvfb_screen0"), os.path.join(folder, "screen.xwd"))
            except OSError:
                pass


def _watch_screen(folder, task, processes):
    settings = task["settings"]
    kind = VIEWERS[settings["viewer"]]
    x_server, display = start_with_displayfd(
        ["Xvfb", "-screen", "0", SCREEN + "x24", "-fbdir", folder, "-noreset", *kind.screen],
        os.path.join(folder, "x-client.log"))
    processes.append(x_server)
    server = await_server(folder)
    near = accelerator.near(folder, task, processes)
    viewer, viewer_start = start_viewer(folder, task, processes, near, display)
    figures = Figures(folder, task, server, near, [viewer.pid, *([x_server.pid] if kind.is_screen else [])])
    first = figures.sample()
    log = os.path.join(folder, "eye.log")
    content = settings["content"]
    drawn = ["--scene", content["scene"], "--size", content["size"]] \
        if contents.can_be_drawn(settings) else []
    eye = start([task["tools"]["eye"], "--frame-buffer", os.path.join(folder, "Xvfb_screen0"),
                 "--display", f":{display}", "--press-every", f"{settings['press_every_ms']:g}",
                 "--press", settings["press"], "--seed", str(settings["seed"]), *drawn,
                 "--warm-up", f"{settings['warm_up_s']:g}", "--duration", f"{settings['duration_s']:g}",
                 "--limit", f"{settings['limit_s']:g}"], log, stdout=subprocess.PIPE)
    processes.append(eye)
    result, begin, last = {}, None, None

    def idle():
        # The eye goes on looking for late responses; the figures are of the measured part alone.
        nonlocal last
        check_running(folder, settings, near, viewer)
        left = begin["at"] + settings["duration_s"] - time.monotonic() if begin and not last else 0.1
        if left <= 0:
            last = figures.sample()
        return min(max(left, 0), 0.1)

    for event in eye_events(eye, idle):
        if event["event"] == "first_picture":
            result["first_picture_s"] = round(event["at_s"] - viewer_start, 4)
        elif event["event"] == "begin":
            begin = figures.sample()
            result["begin_s"] = round(event["at_s"] - link_start(), 2)
            result["measured_s"] = [event["at_s"]]  # CLOCK_MONOTONIC: for the runner alone
        elif event["event"] == "end":
            last = last or figures.sample()
            result["measured_s"].append(event["at_s"])
            check_running(folder, settings, near, viewer)
            result["sightings"] = event["sightings"]
            result.update({name: event[name] for name in ("picture", "still", "beside", "arrival") if name in event})
            result.update(figures.result(first, begin, last), **figures.peaks(),
                          **figures_of_log(folder, begin["at"], last["at"]))
    if "sightings" not in result:
        if "first_picture_s" not in result:
            raise RunFailed(f"the viewer {settings['viewer']} never showed the marks: {last_line(log)}")
        raise RunFailed(f"the eye ended early: {last_line(log)}")
    return result, viewer


def watch_headless(folder, task, processes):
    """vnchl without a window, which reads the marks itself. When its measured part was is known only
    afterwards, so samples are taken all the time."""
    settings = task["settings"]
    server = await_server(folder)
    near = accelerator.near(folder, task, processes)
    viewer, _ = start_viewer(folder, task, processes, near, None)
    figures = Figures(folder, task, server, near, [viewer.pid])
    samples, peaks = [figures.sample()], {}
    limit = time.monotonic() + settings["limit_s"] + settings["warm_up_s"] + settings["duration_s"] + 10
    while viewer.poll() is None:
        time.sleep(0.1)
        sample = figures.sample()
        if sample["cpu"]["viewer"] < samples[-1]["cpu"]["viewer"]:
            break  # it ended while we looked
        samples.append(sample)
        peaks = {name: max(kb, peaks.get(name, 0)) for name, kb in figures.peaks().items()}
        check_far_end(folder, near)
        if time.monotonic() > limit:
            raise RunFailed("vnchl --headless did not end in time")
    report = agent.read_json(folder, "viewer.json")
    if viewer.wait() != 0 or not report or not report.get("marks"):
        raise RunFailed(f"vnchl --headless failed (status {viewer.returncode}): "
                        + last_line(os.path.join(folder, "viewer.log")))
    marks = report.pop("marks")
    # after the measured part it waits for presses that have not shown yet
    end_at = samples[-1]["at"] - (LOST_GRACE if marks["responses_lost"] else 0)
    begin_at = end_at - settings["duration_s"]
    nearest = lambda at: min(samples, key=lambda s: abs(s["at"] - at))
    result = {"first_picture_s": None, "sightings": marks,
              **figures.result(samples[0], nearest(begin_at), nearest(end_at)), **peaks,
              **figures_of_log(folder, begin_at, end_at)}
    return result, viewer


def figures_of_log(folder, begin, end):
    """What vnchl's log says of the time between two moments, CLOCK_MONOTONIC s; nothing of other viewers.

    It counts from the first request. When that was, its file tells: the last row was written when it was
    changed last. The JPEG level is the mean over the time in which there was one.
    """
    try:
        with open(os.path.join(folder, "viewer.csv"), encoding="utf-8", newline="") as file:
            written = os.fstat(file.fileno()).st_mtime - time.time() + time.monotonic()
            rows = list(csv.DictReader(file))
    except OSError:
        return {}
    if not rows:
        return {}
    ends = [float(row["time_s"]) for row in rows]
    begin, end = (moment - (written - ends[-1]) for moment in (begin, end))
    inside = [row for at, row in zip(ends, rows) if begin < at <= end]
    levels = [(min(at, end) - max(before, begin), int(row["quality"]))
              for before, at, row in zip([0, *ends], ends, rows)]
    levels = [(held, level) for held, level in levels if held > 0 and level >= 0]
    total = sum(held for held, _ in levels)
    return {"requests": sum(int(row[column]) for row in inside for column in ASKING),
            "updates": sum(int(row["updates"]) for row in inside),
            "quality": round(sum(held * level for held, level in levels) / total, 2) if total else None}


def work(folder, task, processes):
    """One run; writes result.json."""
    headless = task["settings"]["viewer"] == "vnchl-headless"
    result, viewer = (watch_headless if headless else watch_screen)(folder, task, processes)
    end([viewer])  # vnchl writes its report at its end
    report = agent.read_json(folder, "viewer.json")
    if report:
        report.pop("marks", None)
    try:
        updates = update_times.figures(os.path.join(folder, "viewer.trace"))
    except update_times.TraceError:
        updates = None
    agent.write_json(folder, "result.json", {"ok": True, **result, **({"updates_ms": updates} if updates else {}),
                                             "viewer_report": report})


if __name__ == "__main__":
    sys.exit(agent.main(work, "result.json"))
