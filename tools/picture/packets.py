"""The packets of one TCP connection, as they pass the network device at the viewer's end of a link, and
for how many answers the viewer has waited.

A *wait* is a round trip in which the line to the viewer is idle: the server has sent all that it had been
asked for, the viewer says something, and what comes next comes a round trip later, or more. The time in
which a packet is on the line is not idle. The first wait is that for the connection, from its SYN to the
server's; the second one is mostly that for the server's greeting.

Where a round trip is shorter than what a server needs to think, each such pause in which the viewer
says something counts, too, even if it had asked before.
"""
import socket
import struct
from dataclasses import dataclass

ALL = 3  # ETH_P_ALL: what leaves, too
SO_TIMESTAMPNS = 35
ENOUGH = 0.9  # of a round trip: packets pass the device a little late
TCP, SYN = 6, 2


@dataclass(frozen=True)
class Packet:
    """One of TCP."""
    at: float  # s, of time.time()
    sent: bool  # by the viewer
    length: int  # bytes, with its headers
    payload: int  # bytes
    syn: bool


def parse(data, port):
    """(length, payload, syn) of an IPv4 packet to or from this port; None: it is none."""
    if len(data) < 20 or data[0] >> 4 != 4 or data[9] != TCP:
        return None
    at, length = 4 * (data[0] & 15), struct.unpack(">H", data[2:4])[0]
    if len(data) < at + 20 or port not in struct.unpack(">HH", data[at:at + 4]):
        return None
    return length, length - at - 4 * (data[at + 12] >> 4), bool(data[at + 13] & SYN)


class Capture:
    """All packets of a port from now on."""

    def __init__(self, port):
        self.port, self.packets = port, []
        self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(ALL))
        self.socket.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def take(self, limit):
        """Waits so many seconds for packets, and keeps those that are there."""
        self.socket.settimeout(limit)
        try:
            while True:
                data, told, _, address = self.socket.recvmsg(128, 64)
                self.socket.settimeout(0)
                found = parse(data, self.port)
                if found and address[0] != "lo":
                    seconds, rest = struct.unpack("qq", told[0][2][:16])
                    self.packets.append(Packet(seconds + rest / 1e9, address[2] == socket.PACKET_OUTGOING, *found))
        except OSError:  # nothing more is there
            pass


def begun(packets):
    """When the connection began: its SYN. None: it has not."""
    return next((p.at for p in packets if p.sent and p.syn), None)


def received(packets, until):
    """Bytes of the server's that came until then, without headers."""
    return sum(p.payload for p in packets if not p.sent and p.at <= until)


def waits(packets, rtt, rate, until):
    """How often the viewer waited until then. `rtt`: s; `rate`: bit/s of the line to the viewer."""
    count, said, connecting = 0, None, True
    for p in packets:
        if p.at > until:
            break
        if p.sent:
            # what lets a server greet is that its SYN is acknowledged, without a word
            if said is None and (p.payload or connecting):
                said = p.at
        elif p.payload or p.syn:
            if said is not None and p.at - 8 * p.length / rate - said >= ENOUGH * rtt:
                count += 1
            said, connecting = None, p.syn
    return count
