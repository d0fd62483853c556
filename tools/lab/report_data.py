"""Records of runs: reading, checking, and putting repeats together.

A record is one JSON line that the lab's runner wrote (docs/lab.md). A cell is everything that was
measured with the same settings, repeats and seeds apart. Nothing here draws or writes HTML.
"""

import glob
import json
import lzma
import math
import os
import statistics
import tomllib

from records import PACKED, operation_doubts, run_doubts
from settings import without_later

# Two figures closer than this are called equal when the best of several is looked for; whatever counts by
# it says so, in these words.
TIE = 0.03
TIE_TEXT = f"{100 * TIE:.0f} %"


class ReportError(Exception):
    """One line for the user: what is wrong, where, and what to do."""


# ---- settings ----


def setting(settings, path):
    """The value at a dotted path ("link.rtt_ms"), None where there is none."""
    at = settings
    for name in path.split("."):
        if not isinstance(at, dict) or name not in at:
            return None
        at = at[name]
    return at


def plain(value):
    """A form in which 50, 50.0 and "50" are the same, and lists can be compared."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, (int, float)):
        return float(value)
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return value
    if isinstance(value, (list, tuple)):
        return tuple(plain(v) for v in value)
    return json.dumps(value, sort_keys=True)


def equal(have, wanted):
    if isinstance(wanted, list) and not isinstance(have, list):
        return plain(have) in [plain(w) for w in wanted]
    return plain(have) == plain(wanted)


def printable(text):
    """The text without control characters: names and errors come from other programs."""
    return "".join(c if c.isprintable() else " " for c in str(text))


def order(value):
    """Sort key for settings: numbers first, in their order, then words."""
    if isinstance(value, tuple):
        return (2, 0.0, [order(v) for v in value])
    value = plain(value)
    if isinstance(value, float):
        return (0, value, [])
    return (1, 0.0, [str(value)])


def unique(values):
    """Each value once, in ascending order; values may be lists and tables."""
    found = {}
    for value in values:
        found.setdefault(plain(value), value)
    return sorted(found.values(), key=order)


# ---- cells ----


class Cell:
    """All runs with the same settings. `system` is the label of what was compared, `axes` the
    experiment's cell in the runner's words, which may name values that are no settings."""

    def __init__(self, settings, system, axes):
        self.settings = settings
        self.system = system
        self.axes = axes
        self.results = []
        self.errors = []
        self.doubtful = 0  # runs, of whatever figure
        self.doubts = []  # why
        self.disturbed = 0  # runs of which all figures are doubtful
        self.versions = []  # of vnchl, each once
        self.days = []  # on which it was run, each once

    def get(self, path):
        """The value of a setting, of an axis, or the system's label."""
        if path == "system":
            return self.system
        value = setting(self.settings, path)
        return self.axes.get(path) if value is None else value

    def fits(self, where):
        """Whether it has these values; a list in `where` means any of them."""
        return all(equal(self.get(path), wanted) for path, wanted in (where or {}).items())

    def add(self, result):
        if result.get("ok") is True:
            self.results.append(result)
            whole, operations = run_doubts(self.settings, result), operation_doubts(result)
            self.disturbed += bool(whole)
            self.doubtful += bool(whole or operations)
            self.doubts += whole + operations
        else:
            self.errors.append(str(result.get("error") or "no reason given"))

    def note(self, record):
        """Of which version a run was, and on which day."""
        version, started = setting(record, "versions.vnchl"), record.get("started")
        self.versions = list(dict.fromkeys([*self.versions, str(version or "unknown")]))
        self.days = list(dict.fromkeys([*self.days, str(started or "unknown")[:len("2026-01-02")]]))


class Experiment:
    """One experiment's file (or nothing, when it is gone) and its cells in order of appearance."""

    def __init__(self, name, spec):
        self.name = name
        self.spec = spec
        self.cells = []
        self.records = 0
        self.superseded = 0
        self.systems = [s["label"] for s in spec.get("systems", []) if "label" in s]
        self.systems = list(dict.fromkeys(self.systems))

    def select(self, where):
        return [c for c in self.cells if c.fits(where)]

    def systems_in(self, cells):
        """Labels that occur, in the experiment file's order."""
        present = list(dict.fromkeys(c.system for c in cells))
        known = [s for s in self.systems if s in present]
        return known + [s for s in present if s not in known]

    def ok(self):
        return sum(len(c.results) for c in self.cells)

    def failed(self):
        return sum(len(c.errors) for c in self.cells)


def system_label(record, spec):
    """What the run's system is called: the record's own word, or the file's entry it matches."""
    settings = record["settings"]
    for where in (record, settings):
        for key in ("system", "label"):
            if isinstance(where.get(key), str):
                return where[key]
    best, best_size = None, -1
    for system in spec.get("systems", []):
        given = {k: v for k, v in flatten(system).items() if k != "label"}
        if "label" in system and len(given) > best_size and all(
            equal(setting(settings, path), wanted) for path, wanted in given.items()
        ):
            best, best_size = system["label"], len(given)
    if best:
        return best
    prp = settings.get("prp")
    return str(settings.get("viewer", "?")) + (f", PRP {prp}" if prp is not None else "")


def flatten(table, prefix=""):
    flat = {}
    for key, value in table.items():
        if isinstance(value, dict):
            flat.update(flatten(value, f"{prefix}{key}."))
        else:
            flat[prefix + key] = value
    return flat


# ---- reading ----


def read_records(folder):
    """Every record in the folder's *.jsonl, in order; each knows where it came from."""
    if not os.path.isdir(folder):
        raise ReportError(f"{folder}: no such folder; give the one the runs were written to")
    inside = os.path.join(glob.escape(folder), "*.jsonl")
    files = sorted(glob.glob(inside) + glob.glob(inside + PACKED))
    if not files:
        raise ReportError(f"{folder}: holds no *.jsonl; run an experiment into it first")
    records = [record for file in files for record in read_file(file)]
    if not records:
        raise ReportError(f"{folder}: its *.jsonl hold no record; run an experiment first")
    return records


def read_file(file):
    """The records of one *.jsonl, packed or not, in order."""
    records = []
    try:
        with (lzma.open if file.endswith(PACKED) else open)(file, "rt", encoding="utf-8", errors="strict") as lines:
            for n, line in enumerate(lines, 1):
                if line.strip():
                    records.append(check_record(line, f"{file}:{n}"))
    except UnicodeDecodeError:
        raise ReportError(f"{file}: is not UTF-8 text; remove it from the folder") from None
    except (lzma.LZMAError, EOFError):
        raise ReportError(f"{file}: is no whole file of xz; pack it again") from None
    except OSError as e:
        raise ReportError(f"{file}: {e.strerror}") from None
    return records


def check_record(line, place):
    fix = "remove the line and run that experiment again"
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as e:
        reason = getattr(e, "msg", "too deep")
        raise ReportError(f"{place}: broken JSON ({reason}); {fix}") from None
    if not isinstance(record, dict):
        raise ReportError(f"{place}: not a record; {fix}")
    for key, kind in (("experiment", str), ("settings", dict), ("machine", dict), ("result", dict)):
        if not isinstance(record.get(key), kind):
            raise ReportError(f'{place}: the record lacks "{key}"; {fix}')
    record["place"] = place
    return record


def check_machine(records):
    """The one machine of all records; figures of different machines do not belong together."""
    machines = {}
    for record in records:
        machines.setdefault(str(record["machine"].get("id")), record)
    if len(machines) > 1:
        one, two = list(machines.values())[:2]
        raise ReportError(
            f"records of {len(machines)} different machines ({one['place']} and {two['place']});"
            " keep each machine's results in a folder of its own"
        )
    return records[-1]["machine"]


def machines(records):
    """All machines of the records, each once; raises ReportError where one experiment has several."""
    of = {}
    for record in records:
        of.setdefault(record["experiment"], []).append(record)
    one_each = map(check_machine, of.values())
    return list({str(machine.get("id")): machine for machine in one_each}.values())


def read_spec(name, folder):
    """The experiment's file; an empty one when it no longer exists."""
    path = os.path.join(folder, os.path.basename(name) + ".toml")
    try:
        with open(path, "rb") as file:
            return tomllib.load(file)
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as e:
        raise ReportError(f"{path}: {e}") from None


def group(records, folder):
    """Experiments by name, in the order in which they first appear."""
    experiments, latest = {}, {}
    for i, record in enumerate(records):
        key = record.get("key")
        latest[(record["experiment"], key if isinstance(key, str) else i)] = i
    keep = set(latest.values())
    for i, record in enumerate(records):
        name = record["experiment"]
        if name not in experiments:
            experiments[name] = Experiment(name, read_spec(name, folder))
            experiments[name].index = {}
        experiment = experiments[name]
        if i not in keep:  # the same run again, later
            experiment.superseded += 1
            continue
        experiment.records += 1
        settings = {k: v for k, v in record["settings"].items() if k not in ("repeat", "seed")}
        system = system_label(record, experiment.spec)
        axes = record["cell"] if isinstance(record.get("cell"), dict) else {}
        same = (system, json.dumps([without_later(settings), axes], sort_keys=True))
        if same not in experiment.index:
            experiment.index[same] = Cell(settings, system, axes)
            experiment.cells.append(experiment.index[same])
        experiment.index[same].add(record["result"])
        experiment.index[same].note(record)
    return list(experiments.values())


# ---- figures ----


def number(value):
    """A finite number, or None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return None
    return value


def jobs_of(result):
    """How many runs were made at a time."""
    return number(result.get("jobs")) or 1


def median(values):
    values = [v for v in values if v is not None]
    return statistics.median(values) if values else None


def ratio(ours, theirs):
    """Ours over theirs; None when it says nothing."""
    if ours is None or not theirs:
        return None
    return ours / theirs


def is_best(value, values, higher_is_better, tie=TIE):
    """Whether the value is the best of them, or as good as that. What never came is never the best."""
    values = [v for v in values if v is not None]
    if value in (None, math.inf) or higher_is_better is None or len(values) < 2:
        return False
    if higher_is_better:
        return value >= max(values) * (1 - tie) and value > 0
    least = min(values)
    return value <= least + tie * abs(least)
