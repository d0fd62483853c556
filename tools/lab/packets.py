"""What packets alone say of a run: how long its operations took, and how much data they were. So any
viewer and any protocol can be measured, as slow-motion benchmarking does (Lai and Nieh, section 2.1).

Pure but for read(). Times are us of CLOCK_MONOTONIC, which the eye, the marks and the link's table of
packets (docs/linkem.md) share. All is as a packet monitor at the viewer's end has it: what goes up when
it is sent, also when it is lost then, and what comes down when it arrives.

An operation begins with the first packet of the viewer that carries something after a press. Where the
content changes by itself it begins with the change, which stands for the loading of a page in the paper.
It ends with the last packet of the server that carries something before the next one begins. A packet
that only acknowledges is data, but begins and ends nothing. What the viewer sends at rest, as requests
of a timer, does not count: only the server's content has to rest.
"""
import statistics
from bisect import bisect_left
from collections import namedtuple

import report_series as series

HEAD = "taken_us,left_us,way,bytes,protocol,payload,fate"

# The server is to be silent for so long, and a round trip more, before an operation begins.
REST_MS = 100

# What changes so often that it would have to rest for more of the time than one in so many has no
# operations.
RESTS = 3

# The eye's times are rounded to 0.1 ms, and a press must not be later than its packet.
ROUNDED_US = 100

# `at`: at the viewer's end. `sent`, `arrived`: into the link and out of it, or dropped there.
Packet = namedtuple("Packet", "at sent arrived up bytes payload came")

# Where an operation may lie, us; and ms from its beginning until its picture was seen whole, or None.
Span = namedtuple("Span", "start until shown_ms")

# `ms` is None where nothing came of it.
Operation = namedtuple("Operation", "ms bytes_down bytes_up rested shown_ms")


class PacketsError(Exception):
    """One line: why a table of packets says nothing."""


def _packet(line):
    sent, arrived, way, size, _protocol, payload, fate = line.split(",")
    if way not in ("up", "down"):
        raise ValueError
    up, sent, arrived = way == "up", int(sent), int(arrived)
    return Packet(sent if up else arrived, sent, arrived, up, int(size), int(payload), fate == "delivered")


def read(path, begin, end):
    """The packets of [begin, end) in the order in which the viewer's end has them. A last line that was
    cut off is left out."""
    found = []
    try:
        with open(path, encoding="ascii") as file:
            if file.readline() != HEAD + "\n":
                raise PacketsError(f"{path}: is no table of packets")
            for number, line in enumerate(file, 2):
                if not line.endswith("\n"):
                    break
                packet = _packet(line[:-1])
                if begin <= packet.at < end:
                    found.append(packet)
    except OSError as error:
        raise PacketsError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise PacketsError(f"{path}: is no table of packets") from None
    except ValueError:
        raise PacketsError(f"{path}: line {number} is no packet") from None
    return sorted(found)


def _by_presses(result, begin):
    """From each press to the next; the last one only ends the one before it."""
    pressed = [at for at, _wait in series.presses(result)]
    seen = [at for at, _age, _number in series.frames(result)]
    spans = []
    for this, after in zip(pressed, pressed[1:]):
        shown = [at for at in seen if this <= at < after]
        start, until = (begin + round(1000 * at) - ROUNDED_US for at in (this, after))
        spans.append(Span(start, until, shown[-1] - this if shown else None))
    return spans


def _by_changes(result, begin, period):
    """From each frame's drawing to the next one's, `period` ms later if that was never seen."""
    drawn = [(at - age, age, number) for at, age, number in series.frames(result)]
    spans = []
    for this, after in zip(drawn, drawn[1:]):
        until = after[0] if after[2] == this[2] + 1 else this[0] + period
        spans.append(Span(begin + round(1000 * this[0]), begin + round(1000 * until), this[1]))
    return spans


def _spans(settings, result, begin, rest):
    """(what operations begin with, where they may lie). None where there are no operations: what changes
    so often that it cannot rest, and what has no times."""
    if settings["press_every_ms"]:
        return "presses", _by_presses(result, begin)
    period = 1000 / settings["content"]["fps"]
    spans = _by_changes(result, begin, period) if 1000 * period >= RESTS * rest else []
    return "changes" if spans else None, spans


def _operation(packets, times, span, rest, pressed):
    """`packets` are those that the viewer's end has at `times`."""
    end = bisect_left(times, span.until)
    within = packets[bisect_left(times, span.start):end]
    asking = next((p for p in within if p.up and p.payload), None) if pressed else None
    begin = asking.at if asking else span.start
    # what the server had sent before it was asked is no answer
    heard = asking.arrived if asking and asking.came else begin
    before = packets[bisect_left(times, span.start - rest):end]
    rested = not any(p.payload and not p.up and p.sent < heard for p in before)
    answers = [p.at for p in within if p.payload and not p.up and p.sent >= heard]
    if not answers or (pressed and not asking):
        return Operation(None, 0, 0, rested, None)
    own = [p for p in within if begin <= p.at <= answers[-1]]
    return Operation((answers[-1] - begin) / 1000, sum(p.bytes for p in own if not p.up),
                     sum(p.bytes for p in own if p.up), rested, span.shown_ms)


def _spread(values):
    if not values:
        return None
    ordered = sorted(values)
    found = {"p50": statistics.median(ordered), "p95": ordered[-(-95 * len(ordered) // 100) - 1],
             "max": ordered[-1], "mean": statistics.fmean(ordered)}
    return {name: round(value, 2) for name, value in found.items()}


def _over_marks(done):
    """The median latency by packets over that by marks, of the operations that have both."""
    both = [o for o in done if o.shown_ms]
    if not both:
        return None
    return round(statistics.median(o.ms for o in both) / statistics.median(o.shown_ms for o in both), 4)


def _total(packets):
    """All that went on in the measured part; `time_s` is from the server's first content to its last."""
    content = [p.at for p in packets if not p.up and p.came and p.payload]
    return {"bytes_down": sum(p.bytes for p in packets if not p.up and p.came),
            "bytes_up": sum(p.bytes for p in packets if p.up),
            "lost_down": sum(not p.up and not p.came for p in packets),
            "lost_up": sum(p.up and not p.came for p in packets),
            "time_s": round((content[-1] - content[0]) / 1e6, 3) if content else None}


def figures(path, settings, result, begin, end):
    """The `packets` of a record (docs/lab.md), from the table in the file and what the eye saw; the
    measured part is [begin, end). Raises PacketsError."""
    rest = round(1000 * (REST_MS + settings["link"]["rtt_ms"]))
    starts, spans = _spans(settings, result, begin, rest)
    every = read(path, min([begin, *(s.start for s in spans)]) - rest, end)
    seen = [p for p in every if p.up or p.came]
    times = [p.at for p in seen]
    operations = [_operation(seen, times, span, rest, starts == "presses") for span in spans]
    done = [o for o in operations if o.ms is not None]
    shown = [o.shown_ms for o in done if o.shown_ms]
    mean = lambda values: round(statistics.fmean(values)) if done else None
    return {
        "starts": starts, "rest_ms": rest / 1000, "operations": len(done),
        "unanswered": len(operations) - len(done), "not_resting": sum(not o.rested for o in operations),
        "latency_ms": _spread([o.ms for o in done]), "latencies_ms": [round(o.ms, 2) for o in done],
        "bytes_down": mean([o.bytes_down for o in done]), "bytes_up": mean([o.bytes_up for o in done]),
        "marks_ms": _spread(shown), "over_marks": _over_marks(done),
        "total": _total([p for p in every if p.at >= begin]),
    }
