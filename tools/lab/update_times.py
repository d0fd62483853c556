"""How long each update took in the viewer's own loop, from its trace (docs/trace.md): from the end of one update to
the end of the next, a session's first one from the request for it. So Taylor and Pasquale measured their client
("Improving VNC Performance", section 5), who counted a session's first update, too.

Pure but for read().
"""
import gzip
import statistics
import zlib

MAGIC, VERSION = b"vnchl-tr", 1
HEAD_PLAIN = 3  # bytes behind the magic: version, policy, flags; then a number and two doubles
NEXT, QUALITY = 16, 32
FINISHED, SENT, END = 4, 8, 15
PIXELS = 1
# What each type has: b a byte, n a number. A signed number is as long as one.
CONTENT = {0: "n", 1: "", 2: "", 3: "n", 4: "bn", 5: "", 6: "bn", 7: "b", 8: "b", 9: "b", 10: "n", 11: "b", 12: "",
           13: "b", 14: "", END: "bn", 64: "bbn", 65: "b", 66: "b" + 10 * "n"}


class TraceError(Exception):
    """One line: what is wrong with a trace."""


class _Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def byte(self):
        if self.at == len(self.data):
            raise TraceError("it is cut off")
        self.at += 1
        return self.data[self.at - 1]

    def number(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7f) << shift
            shift += 7
            if not byte & 0x80:
                return value

    def signed(self):
        value = self.number()
        return -(value >> 1) - 1 if value & 1 else value >> 1


def events(data):
    """(time in ns, type, its first byte or None) of each record of a trace that is unpacked."""
    if data[:len(MAGIC)] != MAGIC or data[len(MAGIC):len(MAGIC) + 1] != bytes([VERSION]):
        raise TraceError(f"it is no trace of version {VERSION}")
    reader, now, count = _Reader(data), 0, 0
    reader.at = len(MAGIC) + HEAD_PLAIN
    reader.number()
    reader.at += 16
    while True:
        head = reader.byte()
        kind = head & ~(NEXT | QUALITY)
        if kind not in CONTENT:
            raise TraceError(f"there is no record of type {kind}")
        if kind == END:
            if reader.byte() or reader.number() != count:
                raise TraceError("records were lost")
            return
        count += 1
        now += reader.signed()
        first = None
        for number, what in enumerate(CONTENT[kind]):
            value = reader.byte() if what == "b" else reader.number()
            first = value if number == 0 and what == "b" else first
        yield now, kind, first
        if head & NEXT and reader.byte() < 16:
            reader.signed()
        if head & QUALITY:
            reader.byte()


def times(data):
    """ms of each update with pixels."""
    found, before = [], None
    for now, kind, first in events(data):
        if kind == SENT and before is None:
            before = now
        elif kind == FINISHED and first & PIXELS and before is not None:
            found.append((now - before) / 1e6)
            before = now
    return found


def figures(path):
    """`updates_ms` of a record: how many, median, mean and standard deviation; None without a trace. Raises
    TraceError."""
    try:
        with gzip.open(path) as file:
            found = times(file.read())
    except FileNotFoundError:
        return None
    except (OSError, EOFError, zlib.error):
        raise TraceError("it is no whole file of gzip") from None
    if len(found) < 2:
        return None
    spread = {"p50": statistics.median(found), "mean": statistics.fmean(found), "sd": statistics.stdev(found)}
    return {"count": len(found), **{name: round(value, 2) for name, value in spread.items()}}
