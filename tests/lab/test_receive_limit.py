"""The kernel's limit of receive buffers, raised while a lab runs and put back after it, however it
ends. With files in place of the kernel's."""
import json
import os
import signal
import subprocess
import sys
import unittest
from types import SimpleNamespace

import paths
import receive_limit
from processes import start_time, wait_until

OLD, MORE, MOST = 4 << 20, 32 << 20, 64 << 20
GONE = 1 << 30  # no pid
PATIENCE = 120  # s; only a hang takes so long, however slow the machine


def runs(*windows):
    """Runs that ask for these windows."""
    return [SimpleNamespace(settings={"window": w}) for w in windows]


class Limits(unittest.TestCase):
    """A limit in a file, and its holders."""

    def setUp(self):
        self.folder = paths.Folder(self)
        self.path = self.folder.write("rmem_max", f"{OLD}\n")
        self.holders = os.path.join(self.folder.path, "holders.json")
        self.limit = receive_limit.Limit(self.path, self.holders)

    def kept(self):
        """What the file of holders says."""
        with open(self.holders, encoding="utf-8") as file:
            return json.load(file)

    def test_what_is_wanted(self):
        """The largest; nothing of viewers that have no such option."""
        self.assertEqual(receive_limit.wanted(runs("170k", None, "32m", "auto")), MORE)
        self.assertEqual(receive_limit.wanted(runs(None, "auto")), 0)

    def test_raised_and_put_back(self):
        """By one."""
        self.limit.hold(MORE, os.getpid())
        self.assertEqual(self.limit.value(), MORE)
        self.limit.release(os.getpid())
        self.assertEqual(self.limit.value(), OLD)
        self.assertEqual(self.kept(), {"holders": []})

    def test_never_lowered(self):
        """A limit that suffices stays."""
        self.limit.hold(OLD // 2, os.getpid())
        self.assertEqual(self.limit.value(), OLD)
        self.limit.release(os.getpid())
        self.assertEqual(self.limit.value(), OLD)

    def test_the_last_one_puts_back(self):
        """What was there before the first."""
        other = os.getppid()
        self.limit.hold(MORE, os.getpid())
        self.limit.hold(MOST, other)
        self.limit.release(os.getpid())
        self.assertEqual(self.limit.value(), MOST)
        self.limit.release(other)
        self.assertEqual(self.limit.value(), OLD)

    def test_one_that_was_killed(self):
        """The next one knows what was there before, also when its pid is another's now."""
        for dead in ([GONE, 5], [os.getpid(), start_time(os.getpid()) + 1]):
            self.folder.write("rmem_max", f"{MOST}\n")
            self.folder.write("holders.json", json.dumps(
                {"before": OLD, "raised": MOST, "holders": [dead]}))
            self.limit.hold(MORE, os.getpid())
            self.assertEqual(self.limit.value(), MORE)
            self.limit.release(os.getpid())
            self.assertEqual(self.limit.value(), OLD)

    def test_what_somebody_else_set_stays(self):
        """It is theirs now."""
        self.limit.hold(MORE, os.getpid())
        self.folder.write("rmem_max", "12345678\n")
        self.limit.release(os.getpid())
        self.assertEqual(self.limit.value(), 12345678)

    def test_a_file_that_was_cut_off(self):
        """Counts as none."""
        self.folder.write("holders.json", '{"holders": [[')
        self.limit.hold(MORE, os.getpid())
        self.limit.release(os.getpid())
        self.assertEqual(self.limit.value(), OLD)

    def test_while_it_lasts(self):
        """Through a guard."""
        with receive_limit.raised(MORE, self.path, self.holders) as lacking:
            self.assertIsNone(lacking)
            self.assertEqual(self.limit.value(), MORE)
        self.assertEqual(self.limit.value(), OLD)

    def test_an_exception(self):
        """It is put back as well."""
        with self.assertRaises(SystemExit):
            with receive_limit.raised(MORE, self.path, self.holders):
                raise SystemExit(1)
        self.assertEqual(self.limit.value(), OLD)

    def test_not_permitted(self):
        """One line says so, and nothing else happens."""
        nowhere = os.path.join(self.folder.path, "none", "holders.json")
        with receive_limit.raised(MORE, self.path, nowhere) as lacking:
            self.assertRegex(lacking, f"^net.core.rmem_max stays at {OLD} bytes .*root can raise it$")
        with receive_limit.raised(OLD, self.path, nowhere) as lacking:
            self.assertIsNone(lacking)  # it is enough
        with receive_limit.raised(0, self.path, nowhere) as lacking:
            self.assertIsNone(lacking)

    def test_a_lab_that_is_killed(self):
        """Its guard puts the limit back."""
        program = ("import sys, time\nimport receive_limit\n"
                   f"with receive_limit.raised({MORE}, *sys.argv[1:]):\n"
                   "    print('raised', flush=True)\n    time.sleep(60)\n")
        for number in (signal.SIGKILL, signal.SIGTERM):
            lab = subprocess.Popen([sys.executable, "-B", "-c", program, self.path, self.holders],
                                   cwd=paths.LAB, stdout=subprocess.PIPE, text=True)
            self.assertEqual(lab.stdout.readline(), "raised\n")
            self.assertEqual(self.limit.value(), MORE)
            lab.send_signal(number)
            lab.wait()
            lab.stdout.close()
            self.assertTrue(wait_until(lambda: self.limit.value() == OLD, PATIENCE))


if __name__ == "__main__":
    unittest.main()
