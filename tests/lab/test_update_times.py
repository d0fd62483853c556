"""What the viewer's own loop took for each update: from traces of real servers, as vnchl-replay lists them."""
import glob
import gzip
import os
import re
import statistics
import subprocess
import unittest

import paths
import update_times

TRACES = sorted(glob.glob(os.path.join(paths.ROOT, "tests", "traces", "*.trace")))
REPLAY = os.path.join(paths.BUILD, "tools", "replay", "vnchl-replay")
LINE = re.compile(r"^ +(-?[0-9.]+) ms  (request sent|update finished) ")


class Traces(unittest.TestCase):
    """Real ones."""

    def test_all_of_each_is_read(self):
        self.assertTrue(TRACES)
        for path in TRACES:
            with gzip.open(path) as file:
                found = list(update_times.events(file.read()))
            self.assertGreater(len(found), 100, path)
            self.assertEqual([e[0] for e in found], sorted(e[0] for e in found), path)

    @unittest.skipUnless(os.access(REPLAY, os.X_OK), "needs vnchl-replay")
    def test_the_times_are_those_that_are_listed(self):
        for path in TRACES:
            listed = subprocess.run([REPLAY, "--list", path], check=False, capture_output=True, text=True).stdout
            shown = [float(m[1]) for m in map(LINE.match, listed.splitlines())
                     if m and m[2] == "update finished"]
            with gzip.open(path) as file:
                found = list(update_times.events(file.read()))
            start = found[0][0]
            times = [(at - start) / 1e6 for at, kind, _ in found if kind == update_times.FINISHED]
            self.assertEqual(len(times), len(shown), path)
            self.assertLess(max(abs(a - b) for a, b in zip(times, shown)), 0.001, path)

    def test_figures(self):
        path = next(p for p in TRACES if p.endswith("tightvnc-100ms.trace"))
        found = update_times.figures(path)
        with gzip.open(path) as file:
            times = update_times.times(file.read())
        self.assertEqual(found, {"count": len(times), "p50": round(statistics.median(times), 2),
                                 "mean": round(statistics.fmean(times), 2), "sd": round(statistics.stdev(times), 2)})
        self.assertTrue(30 < found["p50"] < 60, found)


class Damaged(unittest.TestCase):
    """Never figures of half a trace."""

    def test_each(self):
        folder = paths.Folder(self)
        with open(TRACES[0], "rb") as file:
            packed = file.read()
        whole = gzip.decompress(packed)
        for name, content, expected in (("cut", packed[:1000], "no whole file"), ("plain", whole, "no whole file"),
                                        ("short", gzip.compress(whole[:5000]), "cut off"),
                                        ("other", gzip.compress(b"nonsense"), "is no trace"),
                                        ("lost", gzip.compress(whole[:-1] + b"\x01"), "were lost")):
            path = os.path.join(folder.path, name)
            with open(path, "wb") as file:
                file.write(content)
            with self.subTest(name), self.assertRaisesRegex(update_times.TraceError, expected):
                update_times.figures(path)
        self.assertIsNone(update_times.figures(os.path.join(folder.path, "none")))


if __name__ == "__main__":
    unittest.main()
