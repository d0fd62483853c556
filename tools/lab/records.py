"""Records: one JSON line per run in DIR/EXPERIMENT.jsonl, and what they say about where they were made.

A line is written whole and flushed to the disk before the next run starts. A line that was cut off
(the machine went down) is dropped when the file is opened again.
"""
import datetime
import fcntl
import hashlib
import json
import os
import platform
import subprocess

import link

PACKED = ".xz"  # behind the name of a file of records that is large
MOST_TRIES = 2
OTHERS_BUSY = 0.15  # of all cores, used by processes that are no run's
# Of all cores, when several runs are made at a time. At 1/sqrt(2) of two cores, work that comes at
# random waits for a core as long as it then takes, on average (M/M/2): a frame's way doubles what the
# programs add to it. With more cores it is less.
LANES_BUSY = 0.7
NOT_RESTING = 0.1  # of the operations that packets tell of


class RecordsError(Exception):
    """One line: why records cannot be added."""


def _first(path, start, default=""):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return next((l.partition(":")[2].strip() for l in file if l.startswith(start)), default)
    except OSError:
        return default


def _read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return " ".join(file.read().split())
    except OSError:
        return ""


def machine():
    """This machine, as far as figures depend on it."""
    cpu = _first("/proc/cpuinfo", "model name") or platform.processor() or platform.machine()
    kernel = platform.release()
    identity = "\n".join((_read("/etc/machine-id"), cpu, kernel))
    memory = _first("/proc/meminfo", "MemTotal").split()
    return {"id": hashlib.sha256(identity.encode()).hexdigest()[:12], "cpu": cpu,
            "cores": os.cpu_count(), "kernel": kernel,
            "memory_mb": int(memory[0]) // 1024 if memory else 0,
            "congestion": _read("/proc/sys/net/ipv4/tcp_congestion_control"),
            "tcp_wmem": _read("/proc/sys/net/ipv4/tcp_wmem"),
            "tcp_rmem": _read("/proc/sys/net/ipv4/tcp_rmem")}


def _number(value):
    """The value, 0 for what is no number."""
    return value if isinstance(value, (int, float)) else 0


def doubts(settings, result):
    """Why figures of a run that succeeded are doubtful, all of them or those of operations: a list of reasons."""
    return run_doubts(settings, result) + operation_doubts(result)


def run_doubts(settings, result):
    """Why all figures of a run are doubtful.

    Others, or all that was measured at a time, kept the machine too busy; or the kernel did not grant the
    window that the viewer was to have.
    """
    found = []
    other, busy, jobs = (_number(result.get(key)) for key in ("machine_other", "machine_busy", "jobs"))
    if other > OTHERS_BUSY:
        found.append(f"other processes used {other:.0%} of this machine while it was measured")
    elif jobs > 1 and busy > LANES_BUSY:
        found.append(f"this machine was {busy:.0%} busy while it was measured, with {jobs:g} runs at a "
                     "time: take fewer --jobs")
    window, report = settings.get("window"), result.get("viewer_report")
    if window not in (None, "auto") and report and report["window_bytes"] < link.byte_count(window):
        asked, granted = link.byte_count(window), report["window_bytes"]
        found.append(f"the viewer asked for a window of {asked} bytes, the kernel granted {granted}: "
                     "net.core.rmem_max was too small")
    return found


def operation_doubts(result):
    """Why what packets say of single operations is doubtful.

    There is no table of packets, or the packets of an operation cannot be told from those before.
    """
    packets = result.get("packets")
    if not isinstance(packets, dict):
        return []
    if "error" in packets:
        return [f"its packets are not known: {packets['error']}"]
    done, unanswered, mixed = (_number(packets.get(key))
                               for key in ("operations", "unanswered", "not_resting"))
    if mixed <= NOT_RESTING * (done + unanswered):
        return []
    return [f"the server did not rest before {mixed} of {done + unanswered} operations, whose packets cannot "
            "be told from those before"]


def _output(argv, cwd=None):
    try:
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=cwd,
                              timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def _source(vnchl):
    """The folder of the sources of BUILD/viewer/vnchl, as meson has noted it; None where it has not."""
    build = os.path.dirname(os.path.dirname(os.path.abspath(vnchl)))
    try:
        with open(os.path.join(build, "meson-info", "meson-info.json"), encoding="utf-8") as file:
            return json.load(file)["directories"]["source"]
    except (OSError, ValueError, KeyError, TypeError):
        return None


def own_version(root, vnchl):
    """The commit that the program was built from, also where it has a tag: that of its source folder, else of
    `root`; or what the program says of itself."""
    return _output(["git", "describe", "--always", "--exclude", "*", "--dirty"], _source(vnchl) or root) \
        or _output([vnchl, "--version"]) or "unknown"


def package_version(package):
    """The installed version of a Debian package; empty when there is none or no dpkg."""
    return _output(["dpkg-query", "-W", "-f=${Version}", package])


def of_program(path, program, vnchl, runs):
    """Adds what a program that is no experiment has measured. Each run is (system, {axis: value}, {figure: value},
    when it began, s of time.time()); in a table of a page a figure is `figures.NAME` (docs/results/README.md). The file
    has all of them or none: a campaign takes a program with records for done."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    head = {"machine": machine(), "versions": {"vnchl": own_version(root, vnchl)}}
    lines = []
    for number, (system, cell, figures, began) in enumerate(runs, 1):
        started = datetime.datetime.fromtimestamp(began, datetime.timezone.utc)
        settings = {**cell, "repeat": number, "seed": number}
        record = {"experiment": program, "key": f"{began:.3f} {number}", "system": system, "cell": dict(cell),
                  "settings": settings, **head,
                  "started": started.isoformat(timespec="seconds").replace("+00:00", "Z"),
                  "result": {"ok": True, "figures": figures}}
        lines.append(_line(record))
    _add_at_once(path, b"".join(lines))


def _line(record):
    return (json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n").encode()


def _add_at_once(path, added):
    """Puts this behind what the file has."""
    if os.path.exists(path) and not os.path.isfile(path):  # /dev/stdout must not be replaced
        with open(path, "ab") as file:
            file.write(added)
        return
    try:
        with open(path, "rb") as file:
            before = file.read()
    except FileNotFoundError:
        before = b""
    with open(path + ".new", "wb") as file:
        file.write(before + added)
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".new", path)


class Store:
    """The records of one experiment on this machine, open for adding."""

    def __init__(self, folder, experiment, this_machine, new_machine=False):
        self.path = os.path.join(folder, experiment + ".jsonl")
        self.tries, self.done, self.versions = {}, set(), set()
        try:
            os.makedirs(folder, exist_ok=True)
            self._open(this_machine, new_machine)
        except RecordsError:
            self.file.close()
            raise
        except OSError as error:
            raise RecordsError(f"cannot write {self.path}: {error.strerror}") from None

    def _open(self, this_machine, new_machine):
        self.file = open(self.path, "a+b")
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RecordsError(f"another lab is adding to {self.path}: wait for it, or choose another "
                               "--out") from None
        records, whole = read(self.path)
        other = next((r["machine"] for r in records if r["machine"]["id"] != this_machine["id"]), None)
        if other and not new_machine:
            raise RecordsError(
                f"{self.path} holds records of another machine ({other['cpu']}, Linux "
                f"{other['kernel']}): choose another --out, or --new-machine to start a new file")
        if other:
            self.file.close()
            os.rename(self.path, f"{self.path}.{other['id']}")
            self._open(this_machine, False)
            return
        self.file.truncate(whole)
        for record in records:
            self._count(record)

    def _count(self, record):
        key = record["key"]
        if not record["result"].get("missing"):  # a package may come
            self.tries[key] = self.tries.get(key, 0) + 1
        self.versions.add(record["versions"].get("vnchl"))
        if record["result"]["ok"]:
            self.done.add(key)

    def wants(self, key, retry=False):
        """Whether a run is still to be made."""
        return key not in self.done and (retry or self.tries.get(key, 0) < MOST_TRIES)

    def add(self, record):
        """Appends a record; on the disk when this returns."""
        self.file.write(_line(record))
        self.file.flush()
        os.fsync(self.file.fileno())
        self._count(record)

    def close(self):
        """Lets others add."""
        self.file.close()


def read(path):
    """(the records of a file, the length of what is whole). A line that is no record in the middle of
    the file is an error, at its end it was cut off."""
    records, whole = [], 0
    with open(path, "rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                break
            try:
                record = json.loads(line)
                record["key"], record["result"]["ok"], record["machine"]["id"]
                record["machine"]["cpu"], record["machine"]["kernel"], record["versions"].get
            except (ValueError, KeyError, TypeError, AttributeError):
                raise RecordsError(f"{path}: line {number} is not a record of the lab; move the file "
                                   "away") from None
            records.append(record)
            whole += len(line)
    return records, whole
