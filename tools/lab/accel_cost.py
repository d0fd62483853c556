#!/usr/bin/env python3
"""What vnchl-accel costs on the server's machine: the delay it adds, and its CPU time for what it passes on.
The same client speaks to the same kind of server directly and through it, in turn.
docs/accelerator.md says what each figure means."""
import argparse
import os
import random
import select
import socket
import ssl
import statistics
import struct
import sys
import time

import credentials
import records
from bench import ServerBench, exit_status, free_port, percentile, write_record
from processes import RunFailed, Table

BUILD = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir, "build")
TOOLS = {"accel": "tools/accelerator/vnchl-accel", "content": "tools/lab/content/vnchl-lab-content"}
VNCHL = "viewer/vnchl"  # whose version is the accelerator's
WAYS = ("direct", "accel")
LETTER = {"scene": "letter", "size": "408x240", "fps": 1}  # draws when a key is pressed
VIDEO = {"scene": "video", "size": "640x352", "fps": 13.87}  # 100 Mbit/s of raw pixels
LIMIT_S = 20
BLOCK = 10  # presses through one connection
QUIET_S = 0.02  # so long nothing may come before the next press
MEGABIT = 1e6 / 8
VENCRYPT, X509_NONE = 19, 260
# legs with TLS -> what the server offers: the accelerator takes the plain one where there is one
TLS = {"no": "None", "viewer": "X509None,None", "both": "X509None"}

KEY = struct.pack(">BBHI", 4, 1, 0, ord("a")) + struct.pack(">BBHI", 4, 0, 0, ord("a"))


class Bench(ServerBench):
    """A server with content on its desktop, and an accelerator in front of it."""

    # at 60 frames per second, the default, its own timer would be most of the delay
    OPTIONS = ("-FrameRate", "500")

    def __init__(self, tools, content, tls="no", geometry="1024x768"):
        super().__init__(tools, content, geometry)
        self.tls = tls

    def security(self):
        options = ["-SecurityTypes", TLS[self.tls]]
        if self.tls == "no":
            return options
        cert, key = credentials.certificate(self.folder, "127.0.0.1")
        return [*options, "-X509Cert", cert, "-X509Key", key]

    def start(self):
        super().start()
        self.ports = {"direct": self.port, "accel": free_port()}
        self.accel = self.desk.run(
            [self.desk.tools["accel"], "--listen", str(self.ports["accel"]), "--server",
             f"127.0.0.1::{self.port}", "--drain", "0", "--state", self.folder], "accel")
        self.await_port(self.ports["accel"], self.accel, "accel")

    def client(self, way):
        """A client that has seen its first picture. Without the accelerator it takes the type that the
        server's leg has."""
        return Client(self.ports[way], self.tls == "both" or (self.tls == "viewer" and way == "accel"))


class Client:
    """RFB 3.8 without a password, raw pixels only, with or without TLS."""

    def __init__(self, port, tls=False):
        self.socket = socket.create_connection(("127.0.0.1", port), LIMIT_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = memoryview(bytearray(1 << 20))
        self.bytes = 0
        self.tls = tls
        self._greet()
        self.ask(incremental=False)
        self.update()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def _greet(self):
        self._hear(12)
        self.socket.sendall(b"RFB 003.008\n")
        wanted = VENCRYPT if self.tls else 1
        if wanted not in self._hear(self._hear(1)[0]):
            raise RunFailed("the server offers other security types")
        self.socket.sendall(bytes([wanted]))
        if self.tls:
            self._begin_tls()
        if self._hear(4) != bytes(4):
            raise RunFailed("the server refuses")
        self.socket.sendall(b"\1")
        self.width, self.height = struct.unpack(">HH", self._hear(4))
        depth = self._hear(16)[0]
        self._hear(struct.unpack(">I", self._hear(4))[0])
        self.pixel = depth // 8
        self.socket.sendall(struct.pack(">BxHi", 2, 1, 0))

    def _begin_tls(self):
        self._hear(2)
        self.socket.sendall(b"\0\2")
        self._hear(1)
        self._hear(4 * self._hear(1)[0])
        self.socket.sendall(struct.pack(">I", X509_NONE))
        if self._hear(1) != b"\1":
            raise RunFailed("the server does not take X509None")
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        self.socket = context.wrap_socket(self.socket)

    def _receive(self, size):
        try:
            got = self.socket.recv_into(self.buffer, min(size, len(self.buffer)))
        except OSError as error:
            raise RunFailed(f"nothing comes from the server: {error}") from None
        if got == 0:
            raise RunFailed("the connection has ended")
        self.bytes += got
        return got

    def _hear(self, size):
        out = b""
        while len(out) < size:
            got = self._receive(size - len(out))
            out += bytes(self.buffer[:got])
        return out

    def ask(self, incremental=True):
        """Requests the whole screen, or what changes in it."""
        self.socket.sendall(struct.pack(">BBHHHH", 3, incremental, 0, 0, self.width, self.height))

    def update(self):
        """Reads one whole update; when its first byte came, ns."""
        kind, at = self._hear(1)[0], time.perf_counter_ns()
        while kind == 2:  # a bell
            kind, at = self._hear(1)[0], time.perf_counter_ns()
        if kind != 0:
            raise RunFailed(f"a message of type {kind} was not expected")
        for _ in range(struct.unpack(">xH", self._hear(3))[0]):
            _, _, width, height, encoding = struct.unpack(">HHHHi", self._hear(12))
            if encoding != 0:
                raise RunFailed(f"pixels in encoding {encoding} were not asked for")
            left = width * height * self.pixel
            while left:
                left -= self._receive(left)
        return at

    def rest(self, seconds):
        """Until nothing has come for so long."""
        while select.select([self.socket], [], [], seconds)[0]:
            self.update()
            self.ask()

    def press(self):
        """ms from a key to the first byte of the update that shows it."""
        at = time.perf_counter_ns()
        self.socket.sendall(KEY)
        came = self.update()
        self.ask()
        return (came - at) / 1e6


def delays(tools, presses):
    """From a key at the client to the first byte of its update: {way: [ms]}."""
    rng = random.Random(1)
    found = {way: [] for way in WAYS}
    with Bench(tools, LETTER) as bench:
        while len(found[WAYS[-1]]) < presses:
            for way in WAYS:
                with bench.client(way) as client:
                    client.ask()
                    client.rest(5 * QUIET_S)
                    for _ in range(min(BLOCK, presses - len(found[way]))):
                        found[way].append(client.press())
                        client.rest(QUIET_S * (1 + rng.random()))
    return found


def forward(bench, way, seconds, whole):
    """Takes updates for so long: whole screens, one after the other, or what changes."""
    with bench.client(way) as client:
        client.ask(not whole)
        client.update()
        first, began = client.bytes, time.monotonic()
        cpu = Table()
        while (took := time.monotonic() - began) < seconds:
            client.ask(not whole)
            client.update()
        after = Table()
        megabits = (client.bytes - first) / MEGABIT
    used = lambda process: after.cpu_s([process.pid]) - cpu.cpu_s([process.pid])
    found = {"mbit_s": megabits / took, "server_ms_per_mbit": 1000 * used(bench.server) / megabits}
    if way == "accel":
        found["accel_ms_per_mbit"] = 1000 * used(bench.accel) / megabits
        found["accel_percent"] = 100 * used(bench.accel) / took
    return found


def cpu_runs(tools, content, whole, seconds, repeats, tls="no"):
    """What forward() finds: {way: [{figure: value}]}."""
    found = {way: [] for way in WAYS}
    with Bench(tools, content, tls) as bench:
        for _ in range(repeats):
            for way in WAYS:
                found[way].append(forward(bench, way, seconds, whole))
    return found


def medians(found):
    """The same of all repeats: {way: {figure: value}}."""
    return {way: {name: statistics.median(run[name] for run in runs) for name in runs[0]}
            for way, runs in found.items()}


def cpu(tools, content, whole, seconds, repeats, tls="no"):
    """Medians of what forward() finds: {way: {figure: value}}."""
    return medians(cpu_runs(tools, content, whole, seconds, repeats, tls))


def summary(found):
    """{way: {p50, p95}} of delays() and what the accelerator adds to each, ms."""
    table = {way: {f"p{share}": percentile(values, share) for share in (50, 95)}
             for way, values in found.items()}
    table["added"] = {name: table["accel"][name] - table["direct"][name] for name in ("p50", "p95")}
    return table


def lines(record):
    """The record for people."""
    delay = record["delay_ms"]
    yield f"key to first byte of its update, {record['presses']} presses each way, ms:"
    for way, text in (("direct", "directly"), ("accel", "through vnchl-accel"), ("added", "added")):
        yield f"  {text:<20} p50 {delay[way]['p50']:6.3f}   p95 {delay[way]['p95']:6.3f}"
    for name, text in (("full_speed", "whole raw screens, one after the other"),
                       ("100_mbit_s", "a video of 100 Mbit/s, raw"),
                       ("100_mbit_s_tls_viewer", "the same, TLS between viewer and accelerator"),
                       ("100_mbit_s_tls_both", "the same, TLS on both legs")):
        direct, accel = record[name]["direct"], record[name]["accel"]
        yield f"{text}:"
        yield (f"  {accel['mbit_s']:.0f} Mbit/s through vnchl-accel, {direct['mbit_s']:.0f} directly; vnchl-accel took "
               f"{accel['accel_ms_per_mbit']:.3f} ms of CPU for a Mbit ({accel['accel_percent']:.1f} % of a core), "
               f"the server {accel['server_ms_per_mbit']:.3f} (directly {direct['server_ms_per_mbit']:.3f})")


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(prog="tools/accel.sh", description=__doc__)
    parser.add_argument("--presses", type=int, default=500, help="each way [500]")
    parser.add_argument("--seconds", type=float, default=10, help="of each measurement of CPU time [10]")
    parser.add_argument("--repeats", type=int, default=3, help="of each measurement of CPU time [3]")
    parser.add_argument("--json", default="accel.json", help="the file for all figures [accel.json]")
    parser.add_argument("--records", metavar="FILE", help="records for docs/results, too: added to this file")
    parser.add_argument("--build", default=BUILD, help="where the programs are built [build]")
    options = parser.parse_args()
    if min(options.presses, options.repeats) < 1 or options.seconds <= 0:
        parser.error("--presses and --repeats take 1 or more, --seconds more than 0")
    return options


def measure(options):
    """All figures."""
    tools = {name: os.path.join(options.build, path) for name, path in TOOLS.items()}
    found = delays(tools, options.presses)
    runs = {"full_speed": cpu_runs(tools, LETTER, True, options.seconds, options.repeats),
            "100_mbit_s": cpu_runs(tools, VIDEO, False, options.seconds, options.repeats),
            **{f"100_mbit_s_tls_{legs}": cpu_runs(tools, VIDEO, False, options.seconds, options.repeats, legs)
               for legs in ("viewer", "both")}}
    return {"presses": options.presses, "delay_ms": summary(found),
            **{part: medians(of_part) for part, of_part in runs.items()}, "runs": runs,
            "delays_ms": {way: [round(v, 4) for v in values] for way, values in found.items()}}


def told(record, began):
    """The runs for records.of_program()."""
    for way in WAYS:
        delay = record["delay_ms"][way]
        yield way, {"part": "delay"}, {f"{name}, ms": value for name, value in delay.items()}, began
    for part, ways in record["runs"].items():
        for way, runs in ways.items():
            for run in runs:
                yield way, {"part": part}, run, began


def main():
    """Measures, prints, writes."""
    options, began = arguments(), time.time()

    def work():
        record = measure(options)
        write_record(record, lines, options.json)
        if options.records:
            records.of_program(options.records, "accel", os.path.join(options.build, VNCHL), told(record, began))

    return exit_status("accel", work)


if __name__ == "__main__":
    sys.exit(main())
