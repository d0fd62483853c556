"""The tools that look at a first picture: what is counted, and short real runs."""
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import unittest

import paths
import networks
import report_data
from picture import packets, ssh_end
from picture.ends import BY_SSH, PUSHED
from picture.screen import COLOUR, HEADER, Look

RTT, RATE = 0.1, 1e6
TOOLS = os.path.join(paths.ROOT, "tools")


def why_not(*programs):
    """Why no real run is possible here; None when it is."""
    lacking = [p for p in programs if not shutil.which(p)]
    if lacking:
        return f"{', '.join(lacking)} not installed"
    done = subprocess.run([os.path.join(paths.BUILD, "tools/linkem/vnchl-linkem"), "--", "true"], check=False,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return done.stderr.strip() or None


def said(at, payload=10, syn=False):
    return packets.Packet(at, True, 40 + payload, payload, syn)


def heard(at, payload=10, syn=False):
    return packets.Packet(at, False, 40 + payload, payload, syn)


def count(*all_packets, until=100):
    return packets.waits(all_packets, RTT, RATE, until)


CONNECTED = (said(0, 0, True), heard(0.1, 0, True))


class Waits(unittest.TestCase):
    """How often the viewer waits for an answer."""

    def test_the_connection_and_the_greeting(self):
        self.assertEqual(count(*CONNECTED), 1)
        self.assertEqual(count(*CONNECTED, said(0.1, 0), heard(0.2)), 2)

    def test_each_question_and_its_answer(self):
        self.assertEqual(count(*CONNECTED, said(0.1), heard(0.2), said(0.2), heard(0.3)), 3)

    def test_what_comes_on_its_own_is_no_answer(self):
        """Also when TCP acknowledges, or a question is on its way meanwhile."""
        self.assertEqual(count(*CONNECTED, said(0.1), heard(0.2), said(0.2, 0), heard(0.5)), 2)
        self.assertEqual(count(*CONNECTED, said(0.1), heard(0.2), said(0.25), heard(0.3), heard(0.36)), 2)

    def test_time_on_the_line_is_no_wait(self):
        """12500 bytes take 0.1 s."""
        self.assertEqual(count(*CONNECTED, said(0.1), heard(0.2), said(0.2), heard(0.31, 12460)), 2)

    def test_nothing_counts_after_the_picture(self):
        self.assertEqual(count(*CONNECTED, said(0.1), heard(0.2), until=0.15), 1)

    def test_bytes_and_beginning(self):
        self.assertEqual(packets.received([*CONNECTED, heard(0.2, 7), said(0.2, 9), heard(0.4, 5)], 0.3), 7)
        self.assertEqual(packets.begun([heard(-1), said(0.5, 0, True)]), 0.5)
        self.assertIsNone(packets.begun([said(0)]))

    def test_packets_are_read(self):
        head = bytearray(20)
        head[0], head[9], head[2:4] = 0x45, packets.TCP, struct.pack(">H", 47)
        tcp = struct.pack(">HHIIBB", 40000, 5950, 0, 0, 5 << 4, packets.SYN) + bytes(6)
        self.assertEqual(packets.parse(bytes(head) + tcp, 5950), (47, 7, True))
        self.assertIsNone(packets.parse(bytes(head) + tcp, 5951))
        self.assertIsNone(packets.parse(bytes(head) + tcp[:10], 5950))
        self.assertIsNone(packets.parse(b"", 5950))


class Screens(unittest.TestCase):
    """Whether a picture stands on a screen whole."""

    WIDTH, HEIGHT, LEFT, TOP = 8, 4, 3, 2

    def setUp(self):
        self.picture = bytes((7 * n + n // 5) % 256 if n % 4 != 3 else 0xff
                             for n in range(4 * self.WIDTH * self.HEIGHT))
        self.line = 4 * 16
        header = [0] * 25
        header[0], header[12], header[19] = 100, self.line, 2
        self.head = struct.pack(HEADER, *header) + bytes(2 * COLOUR)

    def look(self, padding, change=None):
        """At a screen with the picture in it, whose fourth bytes are `padding`."""
        pixels = bytearray(self.line * 8)
        for n, value in enumerate(self.picture):
            at = (self.TOP + n // (4 * self.WIDTH)) * self.line + 4 * self.LEFT + n % (4 * self.WIDTH)
            pixels[at] = padding if n % 4 == 3 else value
        if change is not None:
            pixels[self.TOP * self.line + 4 * self.LEFT + change] ^= 1
        folder = paths.Folder(self).path
        file = os.path.join(folder, "screen")
        with open(file, "wb") as screen:
            screen.write(self.head + pixels)
        return Look(file, self.picture, self.WIDTH)

    def test_it_is_found_where_it_stands(self):
        for padding in (0, 0xff):
            self.assertTrue(self.look(padding).whole())

    def test_one_other_pixel(self):
        for row in range(self.HEIGHT):
            self.assertFalse(self.look(0, row * self.line + 1).whole())


class Runs(unittest.TestCase):
    """Real ones, as short as they can be."""

    def run_tool(self, name, *arguments):
        """What it prints."""
        done = subprocess.run([sys.executable, "-B", os.path.join(TOOLS, name), "--build", paths.BUILD, *arguments],
                              check=False, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def skip_without(self, *programs):
        reason = why_not(*programs)
        if reason:
            self.skipTest(reason)

    def test_one_network(self):
        self.skip_without(*networks.NEEDED)
        folder = paths.Folder(self).path
        file, kept = (os.path.join(folder, name) for name in ("networks.json", "networks.jsonl"))
        table = self.run_tool("networks.py", "--repeats", "1", "--network", "WaveLAN", "--json", file, "--records",
                              kept)
        self.assertEqual(len(re.findall(r"waits", table)), len(networks.COLUMNS), table)
        with open(file, encoding="ascii") as record:
            found = json.load(record)["WaveLAN"]
        rtt, rate = networks.NETWORKS["WaveLAN"]
        for column in networks.COLUMNS:
            run = found[column][0]
            self.assertGreaterEqual(run["waits"], 2, column)
            self.assertGreater(run["seconds"], rtt / 1000 + 8 * run["bytes"] / (rate * 1000), column)
        cells = report_data.group(report_data.read_file(kept), folder)[0].cells
        self.assertEqual([cell.system for cell in cells], list(networks.COLUMNS))
        self.assertEqual([cell.results[0]["figures"]["waits"] for cell in cells],
                         [found[column][0]["waits"] for column in networks.COLUMNS])

    def test_round_trips_through_the_accelerator(self):
        self.skip_without("Xtigervnc", "Xvfb", "display", "convert")
        later = "vnchl, later"
        kept = os.path.join(paths.Folder(self).path, "first-picture.jsonl")
        table = self.run_tool("first_picture.py", "--rtt", "200", "--server", PUSHED, "--security", "X509None",
                              "--viewer", later, "--records", kept)
        self.assertGreater(self.number(table, PUSHED), 2.5)
        record, = report_data.read_file(kept)
        self.assertEqual((record["system"], record["cell"]["server"], record["cell"]["security_type"]),
                         (later, PUSHED, "X509None"))
        self.assertAlmostEqual(record["result"]["figures"]["round trips"], self.number(table, PUSHED), 1)

    def test_round_trips_by_ssh(self):
        self.skip_without("Xtigervnc", "Xvfb", "display", "convert", *ssh_end.PROGRAMS, ssh_end.SSHD)
        for viewer in (ssh_end.ALONE, "vnchl --ssh, later"):
            table = self.run_tool("first_picture.py", "--rtt", "200", "--server", BY_SSH, "--security", "VncAuth",
                                  "--viewer", viewer)
            self.assertGreater(self.number(table, BY_SSH), 4)

    def test_round_trips_of_a_ticket(self):
        self.skip_without("Xtigervnc", "Xvfb", *ssh_end.PROGRAMS, ssh_end.SSHD)
        table = self.run_tool("first_picture.py", "--rtt", "300", "--server", BY_SSH, "--security", "None",
                              "--viewer", ssh_end.AGAIN)
        self.assertGreater(self.number(table, BY_SSH), 0.5)  # there is one only if the picture came before ssh

    def number(self, table, server):
        """The only one in the server's row."""
        found = re.search(rf"^\| {re.escape(server)} \| \w+ \| ([\d.]+) \|$", table, re.M)
        self.assertTrue(found, table)
        return float(found[1])


if __name__ == "__main__":
    unittest.main()
