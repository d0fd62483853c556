#!/usr/bin/python3
"""Draws what `vnchl --log` wrote of one run: rate, requests in flight, queueing delay, quality and
frame rate over time.

    tools/lab/timeline.py LOG.csv PLOT.svg
"""

import argparse
import csv
import math
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

DRAWN = ("fps", "bytes_received", "delivery_kbit_s", "in_flight", "queue_ms", "quality", "compress")
FORMATS = (".svg", ".png")


class TimelineError(Exception):
    """One line for the user: what is wrong, where, and what to do."""


def _number(text, place):
    try:
        value = float(text)
    except (TypeError, ValueError):
        value = math.nan
    if not math.isfinite(value):
        raise TimelineError(f"{place}: {text!r} is not a number; give a log that vnchl --log wrote")
    return value


def read(path):
    """(the ends of the log's rows in s, {column: its values}) of the columns that are drawn, and
    `received_mbit`, the rate of each row."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file, restkey="", restval="")
            lacking = [c for c in ("time_s", *DRAWN) if c not in (reader.fieldnames or [])]
            if lacking:
                raise TimelineError(f"{path}: has no column {lacking[0]}; give a log that vnchl --log "
                                    "wrote")
            rows = [{c: _number(row[c], f"{path}:{reader.line_num}") for c in ("time_s", *DRAWN)}
                    for row in reader]
    except OSError as error:
        raise TimelineError(f"{path}: {error.strerror}") from None
    except (UnicodeDecodeError, csv.Error):
        raise TimelineError(f"{path}: is not CSV; give a log that vnchl --log wrote") from None
    times = [row["time_s"] for row in rows]
    if len(times) < 2:
        raise TimelineError(f"{path}: has fewer than two rows; log a longer run")
    if any(b <= a for a, b in zip([0, *times], times)):
        raise TimelineError(f"{path}: time goes backwards in it; log one run, without --compare")
    columns = {c: [row[c] for row in rows] for c in DRAWN}
    columns["received_mbit"] = [bytes_ / 125e3 / (b - a) for bytes_, a, b in
                                zip(columns["bytes_received"], [0, *times], times)]
    columns["delivery_mbit"] = [kbit / 1e3 for kbit in columns["delivery_kbit_s"]]
    return times, columns


# what the panels show: label, scale, and columns with their names in the legend
PANELS = (
    ("Mbit/s", "log", (("delivery_mbit", "what the path delivers"), ("received_mbit", "received"))),
    ("requests in flight", "linear", (("in_flight", ""),)),
    ("queueing delay, ms", "linear", (("queue_ms", ""),)),
    ("level, 0 to 9", "linear", (("quality", "JPEG quality"), ("compress", "compression"))),
    ("frames per second", "linear", (("fps", ""),)),
)


def main(argv):
    """The exit status."""
    parser = argparse.ArgumentParser(prog="timeline.py", description="Draws one run's log over time.")
    parser.add_argument("log", metavar="LOG.csv", help="what vnchl --log wrote")
    parser.add_argument("plot", metavar="PLOT", help="where it goes: a .svg or .png file")
    args = parser.parse_args(argv)
    try:
        if not args.plot.endswith(FORMATS):
            raise TimelineError(f"{args.plot}: name it .svg or .png, so that its format is known")
        times, columns = read(args.log)
        try:
            import plots
        except ModuleNotFoundError as error:
            raise TimelineError(f"{error.name} is missing; tools/setup.sh lab installs it") from None
        shown = [(label, scale, [(name, columns[column]) for column, name in lines])
                 for label, scale, lines in PANELS]
        plots.write(plots.timeline(times, shown), args.plot)
    except TimelineError as error:
        print(f"timeline: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"timeline: cannot write {args.plot}: {error.strerror}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
