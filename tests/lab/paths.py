"""Lets the tests import the lab, and gives them experiments in files of their own."""
import os
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LAB = os.path.join(ROOT, "tools", "lab")
BUILD = os.environ.get("VNCHL_BUILD", os.path.join(ROOT, "build"))
sys.path[:0] = [LAB, os.path.join(ROOT, "tools")]

HEAD = 'title = "A title"\nwhat = "What for."\n'


class Folder:
    """A folder that goes with the test."""

    def __init__(self, test):
        self.temporary = tempfile.TemporaryDirectory(prefix="lab-test-")
        test.addCleanup(self.temporary.cleanup)
        self.path = self.temporary.name

    def write(self, name, text):
        """Writes a file; its path."""
        path = os.path.join(self.path, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path
