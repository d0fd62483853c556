"""Reads experiments/NAME.toml and expands it into runs, in the order in which they are to be run.

Pure but for reading the file. docs/lab.md, "Experiment files", defines the format. Everything is
checked here, so that a mistake is one line at once and not a failure in the night.
"""
import copy
import hashlib
import itertools
import json
import os
import tomllib
from dataclasses import dataclass, field

from settings import (GROUPS, TABLE, SettingError, check_value, defaults, finish, flatten, get, put,
                      without_later)
import viewers

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "experiments")
HEAD = {"title": str, "paper": str, "what": str, "group": str, "defaults": dict, "quick": dict,
        "axes": list, "systems": list, "cells": list, "views": list}


class ExperimentError(Exception):
    """One line that names the file and the key."""


@dataclass
class System:
    """One of the compared systems: its label and the settings that make it."""
    label: str
    flat: dict


@dataclass
class Run:
    """One run: complete settings, where it belongs, and the key that says whether it was done."""
    experiment: str
    system: str
    cell: dict
    settings: dict
    key: str = ""

    def __post_init__(self):
        text = json.dumps(without_later(self.settings), sort_keys=True)
        self.key = hashlib.sha256(text.encode()).hexdigest()[:16]

    def line(self):
        """What is run, for people."""
        parts = [f"{name.split('.')[-1]} {shown(value)}" for name, value in self.cell.items()]
        return ", ".join([*parts, self.system, f"repeat {self.settings['repeat']}"])

    def matches(self, name, text):
        """Whether `--only name=text` means this run."""
        if name in ("system", "label"):
            return self.system == text
        if name in self.cell and shown(self.cell[name]) == text:
            return True
        try:
            return shown(get(self.settings, name)) == text
        except KeyError:
            return False


@dataclass
class Experiment:
    """A file, checked."""
    name: str
    path: str
    title: str
    paper: str
    what: str
    group: str
    defaults: dict
    quick: dict
    axes: list  # of (name, [(shown value, {dotted: value})], the same for --quick)
    systems: list  # of (System, also with --quick)
    views: list = field(default_factory=list)
    cells: list = field(default_factory=list)  # of (where, {dotted: value}): what is particular to some

    def repeats(self, quick=False):
        """How often each run is repeated."""
        return (self.quick if quick else {}).get("repeats", self.defaults.get("repeats", 1))

    def runs(self, quick=False, repeats=None):
        """All runs: repeats outermost, then cells, then the systems compared in each."""
        axes = [axis[2 if quick else 1] for axis in self.axes]
        names = [axis[0] for axis in self.axes]
        systems = [s for s, in_quick in self.systems if in_quick or not quick]
        places = []
        for values in itertools.product(*axes):
            for system in systems:
                own = {} if quick else self.particular(names, values, system)
                count = own.pop("repeats", self.repeats(quick))
                places.append((repeats if repeats and count else count, (names, values, own, system)))
        most = max((count for count, _ in places), default=0)
        return [self._run(quick, repeat, *place)
                for repeat in range(1, most + 1) for count, place in places if repeat <= count]

    def particular(self, names, values, system):
        """What [[cells]] say of a place, {dotted: value}; later ones win."""
        if not self.cells:
            return {}
        own, plain = {}, self._run(False, 1, names, values, {}, system)
        for where, layer in self.cells:
            if all(any(plain.matches(name, shown(v)) for v in (value if isinstance(value, list) else [value]))
                   for name, value in where.items()):
                own.update(layer)
        return own

    def _run(self, quick, repeat, names, values, own, system):
        settings = defaults()
        layers = [self.defaults, self.quick if quick else {}, *(v[1] for v in values), own, system.flat]
        for layer in layers:
            for name, value in layer.items():
                if name != "repeats":
                    put(settings, name, copy.deepcopy(value))
        finish(settings)
        settings["repeat"] = repeat
        settings["seed"] += repeat - 1
        cell = dict(zip(names, (v[0] for v in values)))
        return Run(self.name, system.label, cell, settings)


def shown(value):
    """A value of a setting for people."""
    if isinstance(value, dict):
        return " ".join(f"{k} {shown(v)}" for k, v in value.items())
    if isinstance(value, list):
        return " ".join(map(shown, value))
    return str(value)


def _layer(table, key, fewest=1):
    """A table of settings with `repeats`, checked, as {dotted: value}."""
    table = dict(table)
    flat = {}
    if "repeats" in table:
        repeats = table.pop("repeats")
        if not isinstance(repeats, int) or isinstance(repeats, bool) or not fewest <= repeats <= 1000:
            raise SettingError(f"{key}.repeats: {repeats!r} is not a whole number from {fewest} to 1000")
        flat["repeats"] = repeats
    for name, value in flatten(table, key).items():
        check_value(name, value, f"{key}.{name}")
        flat[name] = value
    return flat


def _axis_values(name, values, key):
    """The values of an axis as [(shown, {dotted: value})]."""
    if not isinstance(values, list) or not values:
        raise SettingError(f"{key}: {values!r} is not a list of values")
    result = []
    for i, value in enumerate(values):
        at = f"{key}[{i}]"
        if name == "case":
            if not isinstance(value, dict) or not isinstance(value.get("label"), str):
                raise SettingError(f"{at}: a case is a table of settings with a label")
            rest = {k: v for k, v in value.items() if k != "label"}
            result.append((value["label"], _layer(rest, at)))
            if "repeats" in rest:
                raise SettingError(f"{at}.repeats: repeats stand in [defaults] or [quick]")
        elif name in GROUPS:
            if not isinstance(value, dict) or not value:
                raise SettingError(f"{at}: {value!r} is not a table of settings of {name}")
            result.append((value, _layer({name: value}, key)))
        else:
            check_value(name, value, at)
            result.append((value, {name: value}))
    shown = [json.dumps(v[0], sort_keys=True) for v in result]
    for i, text in enumerate(shown):
        if text in shown[:i]:
            raise SettingError(f"{key}[{i}]: {text} stands there twice")
    return result


def _axis(axis, key):
    if not isinstance(axis, dict):
        raise SettingError(f"{key}: an axis is a table with name and values")
    for k in axis:
        if k not in ("name", "values", "quick"):
            raise SettingError(f"{key}.{k}: an axis has name, values and quick, nothing else")
    name = axis.get("name")
    if name not in TABLE and name not in (*GROUPS, "case"):
        near = [k for k in TABLE if k.split(".")[-1] == name]
        hint = f"did you mean {near[0]!r}?" if near else "expected a setting, link, content or case"
        raise SettingError(f"{key}.name: {name!r} is not a setting; {hint}")
    values = _axis_values(name, axis.get("values"), f"{key}.values")
    if "quick" not in axis:
        return name, values, values
    chosen = axis["quick"]
    if name == "case" and isinstance(chosen, list) and all(isinstance(v, str) for v in chosen):
        chosen = [next((c for c in axis["values"] if c["label"] == v), v) for v in chosen]
    quick = _axis_values(name, chosen, f"{key}.quick")
    for i, value in enumerate(quick):
        if value not in values:
            raise SettingError(f"{key}.quick[{i}]: {shown(value[0])!r} is not one of the values")
    return name, values, quick


def _systems(system, key, base):
    """One [[systems]] table as a list of System, one per combination of its lists."""
    if not isinstance(system, dict):
        raise SettingError(f"{key}: a system is a table of settings")
    system = dict(system)
    label = system.pop("label", None)
    if label is not None and not isinstance(label, str):
        raise SettingError(f"{key}.label: {label!r} is not a text")
    flat = flatten(system, key)
    names, choices = [], []
    for name, value in flat.items():
        lists = name.endswith("options")  # whose values are lists already
        several = isinstance(value, list) and value and (not lists or isinstance(value[0], list))
        values = value if several else [value]
        for i, v in enumerate(values):
            check_value(name, v, f"{key}.{name}" + (f"[{i}]" if several else ""))
        names.append(name)
        choices.append(values)
    result = []
    for combination in itertools.product(*choices):
        one = dict(zip(names, combination))
        whole = defaults()
        for n, v in {**base, **one}.items():
            if n != "repeats":
                put(whole, n, v)
        if whole["viewer"] not in viewers.OURS:
            # given here for a viewer that has none; in a list with vnchl it only does not apply
            given = [n for n in viewers.ONLY_OURS if n in one]
            if given and "viewer" in one and len(choices[names.index("viewer")]) == 1:
                raise SettingError(f"{key}.{given[0]}: {whole['viewer']} has no such setting, "
                                   f"only {' and '.join(viewers.OURS)} have")
            for n in given:
                del one[n]
        finish(whole)
        result.append(System(_label(label, one, whole, key), one))
    unique = []
    for one in result:
        if not any(o.flat == one.flat for o in unique):
            unique.append(one)
    return unique


def _cells(cells, key, axes):
    """One [[cells]] table: (where, {dotted: value})."""
    if not isinstance(cells, dict) or not isinstance(cells.get("where"), dict) or not cells["where"]:
        raise SettingError(f"{key}.where: says which cells are meant: {{ \"link.rtt_ms\" = [300, 500] }}")
    where = flatten(cells["where"], f"{key}.where")
    for name in where:
        if name not in TABLE and name != "system" and name not in axes:
            raise SettingError(f"{key}.where.{name}: is neither a setting, nor an axis, nor system")
    return where, _layer({k: v for k, v in cells.items() if k != "where"}, key, fewest=0)


def _label(template, one, whole, key):
    if template is None:
        return ", ".join(f"{shown(v)}" for v in one.values()) or "default"
    names = {n.replace(".", "_"): shown(get(whole, n)) for n in TABLE}
    text = template
    for name, value in names.items():
        text = text.replace("{" + name + "}", value).replace("{" + name.replace("_", ".", 1) + "}", value)
    if "{" in text or "}" in text:
        raise SettingError(f"{key}.label: {template!r} has braces that hold no setting's name")
    return text


def _build(name, path, data):
    for key, value in data.items():
        if key not in HEAD:
            raise SettingError(f"{key}: not known here; expected {', '.join(HEAD)}")
        if not isinstance(value, HEAD[key]):
            kind = {str: "a text", dict: "a table", list: "a list of tables ([[...]])"}[HEAD[key]]
            raise SettingError(f"{key}: {value!r} is not {kind}")
    for key in ("title", "what", "systems"):
        if not data.get(key):
            raise SettingError(f"{key}: is missing")
    base = _layer(data.get("defaults", {}), "defaults")
    quick = _layer(data.get("quick", {}), "quick")
    axes = [_axis(a, f"axes[{i}]") for i, a in enumerate(data.get("axes", []))]
    seen = [a[0] for a in axes]
    for i, axis in enumerate(seen):
        if axis in seen[:i]:
            raise SettingError(f"axes[{i}].name: {axis} is an axis already")
    systems = []
    for i, table in enumerate(data["systems"]):
        table = dict(table) if isinstance(table, dict) else table
        in_quick = table.pop("quick", True) if isinstance(table, dict) else True
        if not isinstance(in_quick, bool):
            raise SettingError(f"systems[{i}].quick: {in_quick!r} is not true or false")
        for system in _systems(table, f"systems[{i}]", base):
            for other, _ in systems:
                if other.label == system.label or other.flat == system.flat:
                    raise SettingError(f"systems[{i}]: {system.label!r} and {other.label!r} have the "
                                       "same label or the same settings")
            systems.append((system, in_quick))
    for i, view in enumerate(data.get("views", [])):
        if not isinstance(view, dict) or not isinstance(view.get("kind"), str):
            raise SettingError(f"views[{i}].kind: is missing")
    cells = [_cells(c, f"cells[{i}]", seen) for i, c in enumerate(data.get("cells", []))]
    return Experiment(name, path, data["title"], data.get("paper", ""), data["what"],
                      data.get("group", name), base, quick, axes, systems, data.get("views", []), cells)


def load(name, folder=FOLDER):
    """Reads and checks an experiment: its name, or the path of a file (with a / or .toml)."""
    path = name if "/" in name or name.endswith(".toml") else os.path.join(folder, name + ".toml")
    name = os.path.basename(path).removesuffix(".toml")
    try:
        with open(path, "rb") as file:
            data = tomllib.load(file)
    except FileNotFoundError:
        known = ", ".join(names(folder)) or "none"
        raise ExperimentError(f"there is no experiment {name} ({path}); known: {known}") from None
    except OSError as error:
        raise ExperimentError(f"cannot read {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ExperimentError(f"{path}: {error}") from None
    try:
        return _build(name, path, data)
    except SettingError as error:
        raise ExperimentError(f"{path}: {error}") from None


def names(folder=FOLDER):
    """The experiments there are, sorted."""
    try:
        return sorted(f.removesuffix(".toml") for f in os.listdir(folder) if f.endswith(".toml"))
    except OSError:
        return []


def in_group(group, folder=FOLDER):
    """The experiments of a group, or the one of that name."""
    every = names(folder)
    return [n for n in every if load(n, folder).group == group] or [n for n in every if n == group]
