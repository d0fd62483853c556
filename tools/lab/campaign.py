"""A campaign: everything that the pages tell of one version, in an order in which it may be broken off.

campaign.toml has the parts. Each is an experiment, or a program that measures something else, and writes into a
folder of its own below DIR; the folders have the names of those below docs/results. A campaign that was interrupted
goes on when it is started again. It refuses to mix versions.
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
KEYS = {"experiment": str, "tool": str, "command": list, "folder": str, "feeds": str, "jobs": int, "minutes": int}
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
    jobs = table.get("jobs", 1)
    if "tool" in table:
        return Part(table["tool"], table["folder"], table["feeds"], jobs, 1, table["minutes"], table["command"])
    runs = experiments.load(table["experiment"]).runs()
    took = sum(runner.seconds(r.settings) for r in runs) / 60 / jobs
    return Part(table["experiment"], table["folder"], table["feeds"], jobs, len(runs), took, [])


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


def versions(path):
    """The versions of vnchl in a file of records."""
    try:
        return {record["versions"].get("vnchl") for record in records.read(path)[0]}
    except FileNotFoundError:
        return set()


def _command(part, out, build):
    folder = os.path.join(out, part.folder)
    if not part.command:
        file = os.path.join(experiments.FOLDER, part.name + ".toml")  # its name alone may be a group's, too
        return [sys.executable, "-B", LAB, "run", file, "--out", folder, "--build", build, "--jobs", str(part.jobs)]
    words = {"{build}": build, "{records}": part.file(out), "{python}": sys.executable}
    return [words.get(word, word) for word in part.command]


def run(parts, out, build, say=print):
    """Runs these parts; the names of those that did not end well."""
    one = records.own_version(runner.ROOT, runner.tools_in(build)["vnchl"])
    if one.endswith("-dirty"):
        raise CampaignError(f"{one}: what is measured has to be committed")
    for part in parts:
        others = versions(part.file(out)) - {one}
        if others:
            raise CampaignError(f"{part.file(out)} has records of {', '.join(sorted(map(str, others)))}, this is "
                                f"{one}: take another folder")
    bad = []
    for number, part in enumerate(parts, 1):
        if part.command and versions(part.file(out)):
            continue
        left = sum(p.minutes for p in parts[number - 1:])
        say(f"campaign: {part.name}, {number} of {len(parts)}; about {duration(60 * left)} left")
        os.makedirs(os.path.join(out, part.folder), exist_ok=True)
        done = subprocess.run(_command(part, out, build), cwd=runner.ROOT, check=False,
                              preexec_fn=die_with(os.getpid()))
        if done.returncode != 0:
            bad.append(part.name)
            say(f"campaign: {part.name} ended with status {done.returncode}")
    return bad


def publish(parts, out, target):
    """Copies the records to where the pages have them, large ones packed, and writes each folder's page from those of
    experiments. Yields what was written."""
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
        yield from _page([part.file(out) for part in parts if part.folder == folder and not part.command],
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
