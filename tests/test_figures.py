"""figures.py: on repositories made for the purpose."""
import os
import subprocess
import tempfile
import unittest

import figures

TABLE = "| link | fps |\n| --- | --- |\n| far | 29.4 |\n"


class Readme(unittest.TestCase):
    """A README beside a product."""

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

    def test_a_product_of_today(self):
        """May differ by so many lines, added or deleted; other files may as they like."""
        text = TABLE + "\nMeasured with version `COMMIT`.\n"
        most = figures.CHANGED_MOST
        self.commit("docs/other.md", "line\n" * 2 * most)
        self.assertEqual(self.said(text), ([], []))
        self.commit("viewer/main.c", "line\n" * (most - 1))
        self.commit("rfb/rfb.c", "line\n")
        self.assertEqual(self.said(text), ([], []))
        self.measured = self.commit("docs/other.md", "")
        self.commit("viewer/main.c", "")
        self.assertEqual(self.said(text), ([], []))

    def test_an_older_product(self):
        """Is measured again, whether what is newer is committed or not."""
        self.write("prerequest/scheduler.c", "line\n" * (figures.CHANGED_MOST + 1))
        for _ in range(2):
            wrong, _ = self.said("29.4 frames per second (measured with\nversion `COMMIT`).\n")
            self.assertIn("2001 lines of the product have changed", wrong[0])
            self.commit("prerequest/scheduler.c", "line\n" * (figures.CHANGED_MOST + 1))

    def test_a_picture(self):
        """Has no lines."""
        path = os.path.join(self.root, "viewer/icon.png")
        os.makedirs(os.path.dirname(path))
        with open(path, "wb") as file:
            file.write(b"\0\n" * 9000)
        self.git("add", "-A")
        self.assertEqual(self.said("Measured with version `COMMIT`.\n"), ([], []))

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
