"""What the accelerator costs, measured: the sums, and every part once with a real server."""
import os
import shutil
import unittest

import paths
import accel_cost
from processes import end

TOOLS = {name: os.path.join(paths.BUILD, path) for name, path in accel_cost.TOOLS.items()}


class Sums(unittest.TestCase):
    """Of figures that were measured."""

    def test_what_is_added(self):
        found = {"direct": [float(i) for i in range(1, 101)], "accel": [i + 0.5 for i in range(1, 101)]}
        self.assertEqual(accel_cost.summary(found), {
            "direct": {"p50": 50, "p95": 95}, "accel": {"p50": 50.5, "p95": 95.5},
            "added": {"p50": 0.5, "p95": 0.5}})


@unittest.skipUnless(shutil.which("Xvnc"), "needs Xvnc")
class Runs(unittest.TestCase):
    """Real ones, as short as they can be."""

    def test_every_press_is_answered_both_ways(self):
        presses = accel_cost.BLOCK + 2
        found = accel_cost.delays(TOOLS, presses)
        for way in accel_cost.WAYS:
            self.assertEqual(len(found[way]), presses)
            self.assertGreater(min(found[way]), 0)

    def test_cpu_of_what_is_passed_on(self):
        for content, whole in ((accel_cost.LETTER, True), (accel_cost.VIDEO, False)):
            found = accel_cost.cpu(TOOLS, content, whole, 0.5, 1)
            for way in accel_cost.WAYS:
                self.assertGreater(found[way]["mbit_s"], 0)
            self.assertNotIn("accel_ms_per_mbit", found["direct"])
            self.assertGreaterEqual(found["accel"]["accel_ms_per_mbit"], 0)

    def test_cpu_with_tls_on_each_leg(self):
        for legs in accel_cost.TLS:
            found = accel_cost.cpu(TOOLS, accel_cost.VIDEO, False, 0.5, 1, legs)
            self.assertGreater(found["accel"]["mbit_s"], 0)
            self.assertGreater(found["direct"]["mbit_s"], 0)

    def test_the_accelerator_is_what_is_measured(self):
        """Once it is gone, only the direct way is left."""
        with accel_cost.Bench(TOOLS, accel_cost.LETTER) as bench:
            end([bench.accel])
            with bench.client("direct") as client:
                self.assertEqual((client.width, client.height), (1024, 768))
            with self.assertRaises(OSError):
                bench.client("accel")

    def test_the_record_for_people(self):
        options = type("Options", (), {"build": paths.BUILD, "presses": 3, "seconds": 0.3, "repeats": 1})
        record = accel_cost.measure(options)
        text = "\n".join(accel_cost.lines(record))
        for part in ("3 presses each way", "added", "Mbit/s through vnchl-accel", "TLS on both legs"):
            self.assertIn(part, text)
        runs = list(accel_cost.told(record, 7))  # those for the pages
        self.assertEqual(len(runs), 2 + 2 * 4)
        self.assertEqual(set(runs[1][2]), {"p50, ms", "p95, ms"})
        self.assertTrue(all("mbit_s" in figures for _, _, figures, _ in runs[2:]))


if __name__ == "__main__":
    unittest.main()
