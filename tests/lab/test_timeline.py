"""The plot of a run's log: what is read from it, what is refused, and that there is a picture."""
import contextlib
import importlib.util
import io
import os
import unittest

import paths
import timeline

HEAD = "time_s,prp,fps,bytes_received,delivery_kbit_s,in_flight,queue_ms,quality,compress\n"
ROWS = "1.0,auto,30,1250000,90000,5,0,8,2\n3.0,auto,15,250000,4500,2,120,6,5\n"


class Log(unittest.TestCase):
    """From CSV to numbers."""

    def setUp(self):
        self.folder = paths.Folder(self)

    def write(self, text):
        """The log's path."""
        return self.folder.write("run.csv", text)

    def test_rates_are_of_each_row(self):
        """Bytes per time since the row before."""
        times, columns = timeline.read(self.write(HEAD + ROWS))
        self.assertEqual(times, [1, 3])
        self.assertEqual(columns["received_mbit"], [10, 1])
        self.assertEqual(columns["delivery_mbit"], [90, 4.5])
        self.assertEqual(columns["fps"], [30, 15])

    def refused(self, *arguments):
        """The one line that says why."""
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            self.assertEqual(timeline.main(list(arguments)), 1)
        self.assertEqual(errors.getvalue().count("\n"), 1, errors.getvalue())
        return errors.getvalue()

    def test_what_is_no_log(self):
        """Each is one line that names it."""
        plot = os.path.join(self.folder.path, "run.svg")
        for text, said in (("", "no column time_s"), (HEAD, "fewer than two rows"),
                           (HEAD.replace("queue_ms", "queue"), "no column queue_ms"),
                           (HEAD + ROWS + ROWS, "time goes backwards"),
                           (HEAD + ROWS + "4.0,auto\n", "run.csv:4: '' is not a number"),
                           (HEAD + ROWS.replace("120", "nan"), "run.csv:3: 'nan' is not a number")):
            self.assertIn(said, self.refused(self.write(text), plot))
        self.assertIn("No such file", self.refused(os.path.join(self.folder.path, "none"), plot))
        with open(self.write(""), "wb") as file:
            file.write(b"\xff\x00\xfe")
        self.assertIn("not CSV", self.refused(file.name, plot))
        self.assertFalse(os.path.exists(plot))

    def test_where_it_cannot_go(self):
        """A format that is not known, a folder that is not there."""
        log = self.write(HEAD + ROWS)
        self.assertIn(".svg or .png", self.refused(log, "run.pdf"))

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "needs python3-matplotlib")
    def test_a_picture(self):
        """Of each format; the same log gives the same one; also when nothing ever arrived."""
        still = HEAD + "1,auto,0,0,0,0,0,8,2\n2,auto,0,0,0,0,0,8,2\n"
        for text in (HEAD + ROWS, still):
            log, drawn = self.write(text), []
            for name, begin in (("a.svg", b"<?xml"), ("b.svg", b"<?xml"), ("c.png", b"\x89PNG")):
                plot = os.path.join(self.folder.path, name)
                self.assertEqual(timeline.main([log, plot]), 0)
                with open(plot, "rb") as file:
                    drawn.append(file.read())
                self.assertTrue(drawn[-1].startswith(begin))
            self.assertEqual(drawn[0], drawn[1])
        self.assertIn("cannot write", self.refused(log, os.path.join(self.folder.path, "no", "x.svg")))


if __name__ == "__main__":
    unittest.main()
