"""The settings of a run: their names, types and defaults, and the checks on them.

A setting has a dotted name ("link.rtt_ms"); settings are kept as nested dictionaries, as they are in
experiment files and records. docs/lab.md describes each.
"""
import copy
import difflib
import re

import accelerator
import contents
import credentials
import servers
import viewers


class SettingError(Exception):
    """One line: what is wrong with which key, and what is expected."""


def _number(low, high, whole=False):
    def check(value):
        good = (isinstance(value, int) or (isinstance(value, float) and not whole)) \
            and not isinstance(value, bool) and low <= value <= high
        return None if good else f"a{' whole' if whole else ''} number from {low} to {high}"
    return check


def _one_of(names):
    def check(value):
        return None if value in list(names) else "one of " + ", ".join(names)
    return check


def _flag(value):
    return None if isinstance(value, bool) else "true or false"


def _matches(pattern, expected):
    def check(value):
        good = isinstance(value, str) and re.fullmatch(pattern, value)
        return None if good else expected
    return check


def _strings(value):
    good = isinstance(value, list) and all(isinstance(v, str) for v in value)
    return None if good else "a list of strings"


def _prp(value):
    if value in ("auto", "off"):
        return None
    return None if not _number(1, 10000)(value) else '"auto", "off" or a number of ms from 1 to 10000'


def _rate(value):
    unlimited = value == 0 and not isinstance(value, bool)
    return None if unlimited or not _number(0.001, 1e5)(value) \
        else "0 (unlimited) or a number of Mbit/s from 0.001 to 100000"


def _geometry(width, height):
    def check(value):
        size = re.fullmatch(r"([1-9]\d{1,4})x([1-9]\d{1,4})", value) if isinstance(value, str) else None
        good = size and int(size[1]) <= width and int(size[2]) <= height
        return None if good else f'a size like "1024x768", at most {width}x{height}'
    return check


_BYTES = _matches(r"[1-9]\d*[km]?", 'bytes like "170k" or "32m"')


def _optional(check):
    return lambda value: None if value == "" else check(value)


_CONGESTION = _optional(_matches(r"[a-z0-9_]{1,15}", 'the name of a congestion control, like "cubic"'))

# name: (default, check); a check returns None, or what is expected.
# The viewer's screen is 1280x1024, and some viewers have a menu or a frame above the desktop.
TABLE = {
    "server": ("tigervnc", _one_of(servers.SERVERS)),
    "server_options": ([], _strings),
    "security": ("none", _one_of(credentials.KINDS)),
    "through": ("direct", _one_of(accelerator.WAYS)),
    "accel_options": ([], _strings),
    "viewer": ("vnchl", _one_of(viewers.VIEWERS)),
    "viewer_options": ([], _strings),
    "visits": (0, _number(0, 9, whole=True)),
    "prp": (None, _prp),
    "push": (None, _one_of(("auto", "on", "off"))),
    "window": (None, lambda value: None if value == "auto" else _BYTES(value)),
    "geometry": ("1024x768", _geometry(1200, 900)),
    "press_every_ms": (0, _number(0, 60000)),
    "press": ("key", _one_of(("key", "click"))),
    "warm_up_s": (3, _number(0, 600)),
    "duration_s": (10, _number(0.5, 3600)),
    "limit_s": (30, _number(1, 600)),
    "seed": (1, _number(0, 2 ** 31, whole=True)),
    "content.scene": ("video", _one_of(contents.SCENES)),
    "content.size": ("640x360", _geometry(1200, 900)),
    "content.fps": (30, _number(0.01, 240)),
    "link.rtt_ms": (0, _number(0, 20000)),
    "link.jitter_ms": (0, _number(0, 20000)),
    "link.rate_mbit": (0, _rate),
    "link.loss_percent": (0, _number(0, 100)),
    "link.gemodel": ("", _optional(_matches(r"[\d.]+%,[\d.]+%(,[\d.]+%)?", 'bursty loss like "1%,25%"'))),
    "link.queue_bytes": (0, _number(0, 2 ** 31, whole=True)),
    "link.congestion": ("", _CONGESTION),
    "link.server_congestion": ("", _CONGESTION),
    "link.client_congestion": ("", _CONGESTION),
    "link.server_wmem": ("", _optional(_BYTES)),
    "link.client_rmem": ("", _optional(_BYTES)),
    "link.sack": (True, _flag),
    "link.bulk_flows": (0, _number(0, 100, whole=True)),
    "link.packets": (False, _flag),
    "link.options": ([], _strings),
}
GROUPS = ("content", "link")

# Settings that did not always exist. At their defaults they do not count in a run's key, so runs that
# were made before are not made again.
LATER = ("through", "accel_options", "security", "visits", "link.client_rmem", "link.sack", "link.packets")


def defaults():
    """Every setting at its built-in default."""
    settings = {}
    for name, (value, _check) in TABLE.items():
        put(settings, name, copy.deepcopy(value))
    return settings


def get(settings, name):
    """The value of a dotted name."""
    for part in name.split("."):
        settings = settings[part]
    return settings


def put(settings, name, value):
    """Sets the value of a dotted name."""
    *groups, last = name.split(".")
    for part in groups:
        settings = settings.setdefault(part, {})
    settings[last] = value


def without_later(settings):
    """A copy without those of LATER that are at their defaults. Records may have no such group."""
    told = copy.deepcopy(settings)
    for name in LATER:
        *groups, last = name.split(".")
        table = told
        for part in groups:
            table = table.get(part, {})
        if table.get(last) == TABLE[name][0]:
            del table[last]
    return told


def _check(name, value):
    """Raises SettingError unless `value` is good for `name`."""
    if name not in TABLE:
        known = list(TABLE)
        last = [k for k in known if k.split(".")[-1] == name]
        near = last or difflib.get_close_matches(name, known, 1)
        hint = f"did you mean {near[0]}?" if near else "docs/lab.md lists them"
        raise SettingError(f"there is no setting of this name; {hint}")
    expected = TABLE[name][1](value)
    if expected:
        raise SettingError(f"{value!r} is not {expected}")


def flatten(table, key, prefix=""):
    """A table of settings as {dotted name: value}; `key` is where it stands, for errors."""
    flat = {}
    for part, value in table.items():
        name = prefix + part
        if name in GROUPS:
            if not isinstance(value, dict):
                raise SettingError(f"{key}.{part}: {value!r} is not a table of settings")
            flat.update(flatten(value, f"{key}.{part}", name + "."))
        else:
            flat[name] = value
    return flat


def check_value(name, value, key):
    """Checks one value; `key` is where it stands, for errors."""
    try:
        _check(name, value)
    except SettingError as error:
        raise SettingError(f"{key}: {error}") from None


def finish(settings):
    """Fills in what depends on other settings: what only vnchl has, the film's size."""
    ours = settings["viewer"] in viewers.OURS
    for name in viewers.ONLY_OURS:
        if not ours:
            settings[name] = None
        elif settings[name] is None:
            settings[name] = "auto"
    content = settings["content"]
    if content["scene"] == contents.FILM:
        content["size"] = contents.FILM_SIZE
