#!/usr/bin/env bash
# Records the traces of this folder again: needed when the scheduler is to decide otherwise.
#
#   tests/traces/record.sh        all of them, about five minutes; ./build holds the programs
#
# Kept are those that tests/traces/meson.build names. Run it while nothing else runs.
set -u
cd "$(dirname "$0")/../.." || exit 1

out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
/usr/bin/python3 tools/lab/lab.py run tools/lab/experiments/traces.toml --keep --jobs 3 \
    --out "$out/records" | tee "$out/log" || exit 1
/usr/bin/python3 - "$out/log" <<'PYTHON'
import json
import os
import re
import shutil
import sys


def case(settings):
    """What tells a run from the others, as in the names of the files."""
    link = settings["link"]
    if settings["push"] == "on":
        return "pushed"
    if link["options"]:
        return "drop"
    if settings["content"]["scene"] == "starts":
        return "rest"
    if link["loss_percent"]:
        return "loss"
    if settings["press_every_ms"] < 100:
        return "keys"
    return f"{link['rtt_ms']:g}ms" if link["rate_mbit"] == 100 else f"{link['rate_mbit']:g}mbit"


wanted = re.findall(r"'([\w-]+\.trace)'", open("tests/traces/meson.build", encoding="utf-8").read())
for folder in re.findall(r"^kept (\S+)$", open(sys.argv[1], encoding="utf-8").read(), re.M):
    with open(os.path.join(folder, "settings.json"), encoding="utf-8") as file:
        settings = json.load(file)["settings"]
    name = f"{settings['server']}-{case(settings)}.trace"
    trace = os.path.join(folder, "viewer.trace")
    if name in wanted and os.path.exists(trace):
        shutil.copy(trace, os.path.join("tests/traces", name))
        wanted.remove(name)
    shutil.rmtree(folder)
for name in wanted:
    print(f"record.sh: no run gave {name}", file=sys.stderr)
sys.exit(bool(wanted))
PYTHON
