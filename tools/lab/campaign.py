"""A campaign: everything that the pages tell of one version, in an order in which it may be broken off.

campaign.toml has the parts. Each is an experiment, or a program that measures something else, and writes into a
folder of its own below DIR; the folders have the names of those below docs/results. A campaign that was interrupted
goes on when it is started again. It refuses to mix versions and machines.
"""
import lzma
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass

import experiment as experiments
import records
import report
import runner
from processes import die_with
from progress import duration

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "campaign.toml")
LAB = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lab.py")
KEYS = {"experiment": str, "tool": str, "command": list, "folder": str, "feeds": str, "jobs": int, "minutes": int,
        "together": str}
FAILED = ".failed"  # behind the name of a file of records of a program that failed
LARGE = 1 << 20  # bytes; a file of records that is larger is packed for docs/results


class CampaignError(Exception):
    """One line."""


@dataclass
class Part:
    """A part of a campaign."""
    name: str
    folder: str
    feeds: str
    jobs: int
    runs: int
    minutes: float  # of a machine on which nothing else runs
    command: list  # of a program that is no experiment
    together: str  # its records stand in one table with those of the parts that have the same word here

    def file(self, out):
        """Where its records go."""
        return os.path.join(out, self.folder, self.name + ".jsonl")


def _part(table, key):
    """A checked [[part]]."""
    for name, value in table.items():
        if not isinstance(value, KEYS.get(name, ())):
            raise CampaignError(f"{key}.{name}: {value!r} is not known here, or of another kind")
    if ("experiment" in table) == ("tool" in table):
        raise CampaignError(f"{key}: has either an experiment or a tool")
    for name in ("folder", "feeds", *(("command", "minutes") if "tool" in table else ())):
        if name not in table:
            raise CampaignError(f"{key}.{name}: is missing")
    jobs, together = table.get("jobs", 1), table.get("together", "")
    if "tool" in table:
        return Part(table["tool"], table["folder"], table["feeds"], jobs, 1, table["minutes"], table["command"],
                    together)
    runs = experiments.load(table["experiment"]).runs()
    took = sum(runner.seconds(r.settings) for r in runs) / 60 / jobs
    return Part(table["experiment"], table["folder"], table["feeds"], jobs, len(runs), took, [], together)


def load(path=FILE):
    """(the most minutes that it may take, the parts in their order)."""
    try:
        with open(path, "rb") as file:
            data = tomllib.load(file)
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise CampaignError(f"{path}: {error}") from None
    parts = [_part(table, f"{path}: part[{i}]") for i, table in enumerate(data["part"])]
    names = [part.name for part in parts]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise CampaignError(f"{path}: {twice} is a part twice")
    return 60 * data["hours"], parts


def chosen(parts, names):
    """Those of these names and folders; all without."""
    for name in names:
        if not any(name in (part.name, part.folder) for part in parts):
            raise CampaignError(f"{name} is no part of the campaign, nor a folder of one")
    return [part for part in parts if not names or part.name in names or part.folder in names]


def table(parts):
    """As Markdown, with the sum."""
    yield "| part | runs | at a time | minutes | after these, h | feeds |"
    yield "| --- " * 6 + "|"
    total = 0
    for part in parts:
        total += part.minutes
        yield (f"| {part.name} | {part.runs if not part.command else '-'} | {part.jobs} | {part.minutes:.0f} | "
               f"{total / 60:.1f} | {part.feeds} |")


def _read(path):
    """The records of a file, none where it is not there."""
    try:
        return records.read(path)[0]
    except FileNotFoundError:
        return []


def _check_records(path, version, machine):
    """Raises CampaignError where a file has records of another version or machine."""
    read = _read(path)
    others = {record["versions"].get("vnchl") for record in read} - {version}
    if others:
        raise CampaignError(f"{path} has records of {', '.join(sorted(map(str, others)))}, this is {version}: take "
                            "another folder")
    if any(record["machine"]["id"] != machine for record in read):
        raise CampaignError(f"{path} has records of another machine: take another folder")


def _command(part, out, build):
    folder = os.path.join(out, part.folder)
    if not part.command:
        file = os.path.join(experiments.FOLDER, part.name + ".toml")  # its name alone may be a group's, too
        return [sys.executable, "-B", LAB, "run", file, "--out", folder, "--build", build, "--jobs", str(part.jobs)]
    words = {"{build}": build, "{records}": part.file(out), "{python}": sys.executable}
    return [words.get(word, word) for word in part.command]


def _version(build):
    return records.own_version(runner.ROOT, runner.tools_in(build)["vnchl"])


def run(parts, out, build, say=print):
    """Runs these parts; the names of those that did not end well."""
    one, here = _version(build), records.machine()["id"]
    if one.endswith("-dirty"):
        raise CampaignError(f"{one}: what is measured has to be committed")
    for part in parts:
        _check_records(part.file(out), one, here)
    bad = []
    for number, part in enumerate(parts, 1):
        if part.command and _read(part.file(out)):
            continue
        if _version(build) != one:
            raise CampaignError(f"the source is not {one} any more: what follows would be of another version")
        left = sum(p.minutes for p in parts[number - 1:])
        say(f"campaign: {part.name}, {number} of {len(parts)}; about {duration(60 * left)} left")
        os.makedirs(os.path.join(out, part.folder), exist_ok=True)
        done = subprocess.run(_command(part, out, build), cwd=runner.ROOT, check=False,
                              preexec_fn=die_with(os.getpid()))
        if done.returncode != 0:
            bad.append(part.name)
            if part.command and os.path.exists(part.file(out)):  # what is there would be taken for done
                os.replace(part.file(out), part.file(out) + FAILED)
            say(f"campaign: {part.name} ended with status {done.returncode}")
    return bad


def _incomplete(parts, out, say):
    """Of parts whose records stand in one table: those of which some are there, not all. A table takes no records of
    several machines."""
    found = []
    for word in dict.fromkeys(part.together for part in parts if part.together):
        group = [part for part in parts if part.together == word]
        lacking = [part.name for part in group if not os.path.exists(part.file(out))]
        if lacking and len(lacking) < len(group):
            say(f"campaign: {', '.join(part.name for part in group)} stand in one table and go together: without "
                f"{', '.join(lacking)} none of them")
        found += group if lacking else []
    return found


def publish(parts, every, out, target, say=print):
    """Copies the records of these parts to where the pages have them, large ones packed, and writes the page of each
    of their folders. `every` has all parts: a page is of all experiments of its folder, and what stands in one table
    goes together. Yields what was written."""
    words = {part.together for part in parts if part.together}
    held = _incomplete([part for part in every if part.together in words], out, say)
    parts = [part for part in every if (part in parts or part.together in words) and part not in held]
    for part in parts:
        try:
            with open(part.file(out), "rb") as file:
                content = file.read()
        except FileNotFoundError:
            continue
        path = os.path.join(target, part.folder, part.name + ".jsonl")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        packed = len(content) > LARGE
        with open(path + records.PACKED if packed else path, "wb") as file:
            file.write(lzma.compress(content, preset=9) if packed else content)
        other = path if packed else path + records.PACKED
        if os.path.exists(other):
            os.remove(other)
        yield path + records.PACKED if packed else path
    for folder in dict.fromkeys(part.folder for part in parts if not part.command):
        yield from _page([part.file(out) for part in every
                          if part.folder == folder and not part.command and part not in held],
                         os.path.join(target, folder))


def _page(files, target):
    """The report on a folder's experiments, which stands on one page."""
    files = [file for file in files if os.path.exists(file)]
    if not files:
        return
    with tempfile.TemporaryDirectory(prefix="lab-page-") as folder:
        for file in files:
            shutil.copy(file, folder)
        shutil.copy(report.write(folder, os.path.join(folder, "page")), target)
    yield os.path.join(target, "index.html")
