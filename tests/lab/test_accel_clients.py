"""Many viewers at one accelerator: the sums, and a short real run."""
import json
import os
import shutil
import subprocess
import sys
import unittest

import paths
import accel_clients

RECORD = {
    "rtt_ms": 100, "rate_mbit": 100, "seconds": 10,
    "clients": [
        {"scene": "typing", "pushed": True, "fps": 5, "responses_ms": [110.0] * 20, "lost": 0},
        {"scene": "video", "pushed": True, "fps": 29.5, "responses_ms": [120.0] * 18, "lost": 2}],
    "costs": [["vnchl-accel", 2, 4], ["vnchl-accel", 0, 1], ["vnchl-session", 1, 5], ["vnchl-session", 20, 7]]}


def why_not():
    """Why no real run is possible here; None when it is."""
    if not shutil.which("Xvnc"):
        return "needs Xvnc"
    if os.geteuid() != 0:
        return "only root may look into the memory of vnchl-accel"
    done = subprocess.run([os.path.join(paths.BUILD, accel_clients.TOOLS["linkem"]), "--", "true"], check=False,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return done.stderr.strip() or None


class Sums(unittest.TestCase):
    """Of figures that were measured."""

    def test_the_record_for_people(self):
        text = "\n".join(accel_clients.lines(RECORD))
        for part in ("| 1 | typing | yes | 5.0 | 20 | 110 | 110 |", "| 2 | video | yes | 29.5 | 20 | 120 | inf |",
                     "within 180 ms (the round trip and 80 ms): 1 of 2", "23.0 % of a core, 17.0 MB",
                     "per client 11.50 %, 8.50 MB", "the busiest one 20.0 %, the largest one 7.00 MB"):
            self.assertIn(part, text)

    def test_the_records_for_the_pages(self):
        runs = list(accel_clients.told(RECORD, 7))
        self.assertEqual([(system, cell["part"]) for system, cell, _, _ in runs],
                         [("typing", "clients"), ("video", "clients"), ("vnchl-accel", "costs")])
        self.assertEqual(runs[1][2]["response p95, ms"], float("inf"))
        self.assertEqual(runs[2][2]["CPU per client, % of a core"], 11.5)

    def test_what_had_not_begun_counts_from_its_beginning(self):
        table = lambda cpu: type("Table", (), {"cpu": cpu, "tree": lambda self, roots: set(cpu)})()
        us = os.getpid()
        spent = accel_clients.costs(table({}), table({us: 0.5}), us, 5)
        self.assertAlmostEqual(spent[0][1], 10)
        self.assertGreater(spent[0][2], 0)

    def test_the_last_desktop_has_the_film(self):
        self.assertEqual([accel_clients.content_of(n, 3)["scene"] for n in range(3)], ["typing", "typing", "video"])


class Runs(unittest.TestCase):
    """A real one, as short as it can be."""

    def test_three_clients(self):
        reason = why_not()
        if reason:
            self.skipTest(reason)
        file = os.path.join(paths.Folder(self).path, "clients.json")
        done = subprocess.run([sys.executable, "-B", accel_clients.__file__, "--clients", "3", "--warm-up", "1",
                               "--seconds", "3", "--build", paths.BUILD, "--json", file],
                              check=False, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        with open(file, encoding="ascii") as record:
            record = json.load(record)
        for client in record["clients"]:
            self.assertTrue(client["pushed"])
            self.assertGreaterEqual(min(client["responses_ms"], default=record["rtt_ms"]), record["rtt_ms"])
        self.assertEqual([name for name, _, _ in record["costs"]].count(accel_clients.SESSION), 3)
        self.assertIn("of 3 clients", done.stdout)


if __name__ == "__main__":
    unittest.main()
