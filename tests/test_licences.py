"""licences.py: on a tree made for the purpose."""
import os
import tempfile
import unittest

import licences

BUILD = "a = dependency('gnutls', version: '>=3.6')\nb = [dependency('x11'), dependency('xcb')]\n# dependency('old')\n"


class Licences(unittest.TestCase):
    """A list beside build files."""

    def wrong(self, lines, more=""):
        """What is said of these lines of the list."""
        with tempfile.TemporaryDirectory() as root:
            for name, text in (("meson.build", BUILD), ("tools/accelerator/meson.build", more),
                               ("tests/meson.build", "dependency('catch2')\n"),
                               ("tools/deb/debian/copyright", "Comment:\n" + lines + "\nFiles: *\n")):
                path = os.path.join(root, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            return licences.complaints(root)

    def test_all_are_there(self):
        self.assertEqual(self.wrong("  gnutls: LGPL-2.1+\n  x11: MIT (X11)\n  xcb: MIT (X11)\n"), [])

    def test_one_is_missing(self):
        self.assertEqual(len(self.wrong("  gnutls: LGPL-2.1+\n  x11: MIT (X11)\n  xcb:\n")), 1)
        self.assertIn("libuv", self.wrong("  gnutls: LGPL-2.1+\n  x11: MIT\n  xcb: MIT\n", "dependency('libuv')")[0])

    def test_one_is_too_much(self):
        self.assertIn("old", self.wrong("  gnutls: LGPL-2.1+\n  old: MIT\n  x11: MIT\n  xcb: MIT\n")[0])


if __name__ == "__main__":
    unittest.main()
