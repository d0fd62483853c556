"""figures.py: on repositories made for the purpose."""
import os
import subprocess
import tempfile
import unittest

import figures

TABLE = "| link | fps |\n| --- | --- |\n| far | 29.4 |\n"


class Readme(unittest.TestCase):
    """A README beside a scheduler."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.base = temporary.name
        self.root = os.path.join(self.base, "full")
        os.mkdir(self.root)
        self.git("init", "-q")
        self.measured = self.commit("prerequest/scheduler.c", "one")

    def git(self, *arguments, root=None):
        """What git says."""
        identity = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "protocol.file.allow=always")
        return subprocess.run(["git", "-C", root or self.root, *identity, *arguments], check=True,
                              capture_output=True, text=True).stdout.strip()

    def write(self, name, text):
        """A file of the working folder."""
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def commit(self, name, text):
        """The commit that changes this file."""
        self.write(name, text)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", name)
        return self.git("rev-parse", "--short", "HEAD")

    def said(self, text, root=None):
        """(what is wrong, what is unknown) of a README."""
        return figures.complaints(root or self.root, text.replace("COMMIT", self.measured))

    def test_the_same_scheduler(self):
        """Nothing needs to be said, also when other files have changed."""
        self.commit("prerequest/marks/mark.c", "other")
        self.commit("viewer/main.c", "other")
        self.assertEqual(self.said(TABLE + "\nMeasured with version `COMMIT`.\n"), ([], []))
        wrong, _ = self.said(TABLE + "\nMeasured with version `COMMIT`. The scheduler has changed since.\n")
        self.assertIn("is still that of", wrong[0])

    def test_another_scheduler(self):
        """It has to be said, in the same paragraph, whether committed or not."""
        self.write("prerequest/scheduler.c", "two")
        for _ in range(2):
            wrong, _ = self.said(TABLE + "\nMeasured with version `COMMIT`.\n\nThe scheduler has changed since.")
            self.assertIn("any more: measure again", wrong[0])
            self.assertEqual(
                self.said(TABLE + "\nMeasured with version `COMMIT`. The scheduler\nhas changed since.\n"),
                ([], []))
            self.commit("prerequest/scheduler.c", "two")

    def test_figures_in_a_sentence(self):
        """Each version has to be followed by its own words."""
        self.commit("prerequest/path.h", "two")
        both = "29 (measured with version `COMMIT`{}) and 30 (measured with version `COMMIT`{}).\n"
        words = "; the scheduler has changed since"
        self.assertEqual(self.said(both.format(words, words)), ([], []))
        self.assertEqual(len(self.said(both.format("", words))[0]), 1)
        self.assertEqual(len(self.said(both.format(words, ""))[0]), 1)

    def test_a_table_without_a_version(self):
        """Is not taken; one without figures needs none."""
        wrong, _ = self.said(TABLE + "\nA fine table.\n\nMeasured with version `COMMIT`.\n")
        self.assertIn("| link | fps |", wrong[0])
        self.assertEqual(self.said("| file | what |\n| --- | --- |\n| a | b |\n"), ([], []))

    def test_no_such_commit(self):
        """A slip, where the whole history is there."""
        wrong, _ = self.said("Measured with version `1234567`.\n")
        self.assertIn("no commit of this repository", wrong[0])

    def test_a_shallow_clone_and_none(self):
        """Nothing is known."""
        self.commit("prerequest/scheduler.c", "two")
        shallow = os.path.join(self.base, "shallow")
        self.git("clone", "-q", "--depth", "1", "file://" + self.root, shallow)
        text = TABLE + "\nMeasured with version `COMMIT`.\n"
        for root in (shallow, self.base):
            self.assertEqual(self.said(text, root), ([], [self.measured]))
            self.assertEqual(len(self.said(TABLE, root)[0]), 1)  # this is wrong anywhere


if __name__ == "__main__":
    unittest.main()
