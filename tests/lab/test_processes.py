"""Processes of a run: the CPU time of what a program leaves behind when it ends."""
import os
import subprocess
import sys
import tempfile
import unittest

import paths

# A program starts another one, which works for a while, and ends before it.
LEAVES = """
import os, sys
import processes

folder = sys.argv[1]
worked = os.path.join(folder, "worked")
processes.adopt()
program = processes.start(["sh", "-c", f"(i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; echo > {worked}; "
                                       "exec sleep 600) & exit 0"], os.path.join(folder, "log"))
program.wait()
processes.wait_until(lambda: os.path.exists(worked), 100)
before = processes.Table().cpu_s([os.getpid()]) - processes.Table().cpu[os.getpid()]
processes.end([program])
processes.bury(100)
times = os.times()
ended = times.children_user + times.children_system
print(round(before * processes.TICKS), round(ended * processes.TICKS), len(processes.Table().tree([os.getpid()])) - 1)
"""


class LeftBehind(unittest.TestCase):
    """When a program has ended before those that it started."""

    def test_cpu_time(self):
        """It is ours while they live, and stays ours when they have ended."""
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, "-B", "-c", LEAVES, folder], check=True, text=True,
                                  stdin=subprocess.DEVNULL, capture_output=True,
                                  env={**os.environ, "PYTHONPATH": paths.LAB})
        # times in ticks, whole numbers: sums of fractions depend on their order
        living, ended, left = map(int, done.stdout.split())
        self.assertGreater(living, 0)
        self.assertGreaterEqual(ended, living)
        self.assertEqual(left, 0)


if __name__ == "__main__":
    unittest.main()
