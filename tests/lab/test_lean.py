"""What the window takes, measured: the sums, and each part once with real viewers."""
import contextlib
import io
import os
import shutil
import unittest

import paths
import lean

NEEDED = ("Xvfb", "Xvnc", "xtigervncviewer")
TOOLS = {name: os.path.join(paths.BUILD, path) for name, path in lean.TOOLS.items()}


def run(viewer, **figures):
    """A run as measure() gives it."""
    return {"part": "small", "viewer": viewer, "figures": figures}


class Sums(unittest.TestCase):
    """Of figures that were measured."""

    def test_medians_and_their_ratio(self):
        table = lean.summary([run("vnchl", a=3), run("tigervnc", a=4), run("vnchl", a=1),
                              run("tigervnc", a=8), run("vnchl", a=2, b=7), run("tigervnc", a=4)])
        self.assertEqual(table["a"]["vnchl"], {"median": 2, "min": 1, "max": 3})
        self.assertEqual(table["a"]["tigervnc"], {"median": 4, "min": 4, "max": 8})
        self.assertEqual(table["a"]["ratio"], 0.5)
        self.assertNotIn("ratio", table["b"])

    def test_no_ratio_to_nothing(self):
        self.assertNotIn("ratio", lean.summary([run("vnchl", a=3), run("tigervnc", a=0)])["a"])

    def test_percentiles(self):
        values = list(range(100, 0, -1))
        self.assertEqual(lean.percentile(values, 50), 50)
        self.assertEqual(lean.percentile(values, 95), 95)
        self.assertEqual(lean.percentile([7], 95), 7)

    def test_the_table(self):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            lean.print_table(lean.summary([run("vnchl", a=3.14159), run("tigervnc", a=400),
                                           run("vnchl", b=12)]))
        self.assertIn("| a | 3.14 (3.14 .. 3.14) | 400 (400 .. 400) | 0.01 |", out.getvalue())
        self.assertIn("| b | 12 (12 .. 12) | - | |", out.getvalue())


@unittest.skipUnless(all(map(shutil.which, NEEDED)), "needs " + ", ".join(NEEDED))
class Runs(unittest.TestCase):
    """Real ones, as short as they can be."""

    def setUp(self):
        before = (lean.MOVING_S, lean.STILL_S, lean.SETTLED_S, lean.SAMPLES)

        def restore():
            lean.MOVING_S, lean.STILL_S, lean.SETTLED_S, lean.SAMPLES = before

        self.addCleanup(restore)
        lean.MOVING_S, lean.STILL_S, lean.SETTLED_S, lean.SAMPLES = 1, 1, 2, 3

    def test_every_part_has_all_its_figures(self):
        counts = {"small": 5, "idle": 1, "busy": 3, "busy-large": 3, "delays": 4}
        for part, count in counts.items():
            for viewer in lean.COMMANDS:
                with self.subTest(part=part, viewer=viewer):
                    figures = lean.PARTS[part](viewer, TOOLS)
                    self.assertEqual(len(figures), count, figures)
                    self.assertTrue(all(value >= 0 for value in figures.values()), figures)

    def test_only_ours_can_shrink(self):
        for part in ("shrunk", "shrunk-large"):
            ours, theirs = (lean.PARTS[part](viewer, TOOLS) for viewer in lean.COMMANDS)
            self.assertEqual(len(ours), 3)
            self.assertEqual(len(theirs), 1)
            self.assertLess(set(theirs), set(ours))  # CPU, to be compared


if __name__ == "__main__":
    unittest.main()
