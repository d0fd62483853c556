#!/usr/bin/python3
"""Whether tools/deb/debian/copyright names each library that the packages' programs use, and no other.

    licences.py SOURCE_ROOT

The build files name them as pkg-config does: dependency('gnutls'). What only tests, tools of the lab and
the demonstration use is in no package.
"""
import glob
import os
import re
import sys

BUILT = ("meson.build", "prerequest/meson.build", "rfb/meson.build", "viewer/**/meson.build",
         "tools/marks/meson.build", "tools/accelerator/meson.build")
OF_THE_COMPILER = {"threads"}
DEPENDENCY = re.compile(r"\bdependency\(\s*'([^']+)'")
LISTED = re.compile(r"^  ([\w.+-]+): \S", re.M)


def used(root):
    """The libraries of the build files."""
    names = set()
    for pattern in BUILT:
        for path in glob.glob(os.path.join(root, pattern), recursive=True):
            with open(path, encoding="utf-8") as file:
                for line in file:
                    names.update(DEPENDENCY.findall(line.split("#")[0]))
    return names - OF_THE_COMPILER


def listed(text):
    """Those that the comment of a file debian/copyright names, with a licence."""
    return set(LISTED.findall(text))


def complaints(root):
    """What is wrong, in lines."""
    with open(os.path.join(root, "tools/deb/debian/copyright"), encoding="utf-8") as file:
        there = listed(file.read())
    needed = used(root)
    return ([f"tools/deb/debian/copyright: no line '  {name}: LICENCE' for a library that is linked"
             for name in sorted(needed - there)] +
            [f"tools/deb/debian/copyright: {name} is not linked any more" for name in sorted(there - needed)])


def main():
    """Prints what is wrong."""
    if len(sys.argv) != 2:
        sys.exit("usage: licences.py SOURCE_ROOT")
    wrong = complaints(sys.argv[1])
    print("\n".join(wrong) or "each library is named")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
