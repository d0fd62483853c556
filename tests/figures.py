#!/usr/bin/python3
"""Whether README.md says of which version its figures are, and whether that is the program of today.

    figures.py SOURCE_ROOT

Below each table of figures a paragraph begins with

    Measured with version `COMMIT`

and anywhere else `measured with version` names one, too. Since then at most CHANGED_MOST lines of the product may have
changed: an older version is measured again. Of a file the larger number counts, of its lines added or deleted.

Where the commit cannot be looked up (a shallow clone, no git) nothing is known, and the test is skipped
(77), unless the README is wrong already.
"""
import os
import re
import subprocess
import sys

PRODUCT = ("prerequest", "rfb", "viewer", "tools/accelerator")
CHANGED_MOST = 2000  # lines
VERSION = re.compile(r"measured with version `([0-9a-f]{7,40})`", re.I)
FIGURES = re.compile(r"^\|.*\d+\.\d", re.M)  # a row of a table
SKIP = 77


def git(root, *arguments):
    """Exit status and output; 128 where there is no git."""
    try:
        done = subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True, check=False)
    except OSError:
        return 128, ""
    return done.returncode, done.stdout.strip()


def changed(root, commit):
    """How many lines of the product have changed since this commit. None: that cannot be known here. Raises
    LookupError when there is no such commit."""
    status, shallow = git(root, "rev-parse", "--is-shallow-repository")
    if status != 0:
        return None
    if git(root, "rev-parse", "--verify", "--quiet", commit + "^{commit}")[0] != 0:
        if shallow == "true":
            return None
        raise LookupError
    status, diff = git(root, "diff", "--numstat", commit, "--", *PRODUCT)
    if status != 0:
        return None
    files = [line.split("\t")[:2] for line in diff.splitlines()]
    return sum(max(map(int, counts)) for counts in files if counts != ["-", "-"])  # those are not text


def complaints(root, text):
    """(what is wrong, what could not be looked up), as lines."""
    wrong, unknown = [], []
    paragraphs = text.split("\n\n")
    for this, after in zip(paragraphs, [*paragraphs[1:], ""]):
        if FIGURES.search(this) and not VERSION.match(after.lstrip()):
            wrong.append("no line \"Measured with version `COMMIT`.\" below the table "
                         + this.strip().splitlines()[0])
    for commit in dict.fromkeys(VERSION.findall(" ".join(text.split()))):
        try:
            lines = changed(root, commit)
        except LookupError:
            wrong.append(f"{commit} is no commit of this repository")
            continue
        if lines is None:
            unknown.append(commit)
        elif lines > CHANGED_MOST:
            wrong.append(f"{lines} lines of the product have changed since {commit}: measure again")
    return wrong, unknown


def main(root):
    """The exit status."""
    with open(os.path.join(root, "README.md"), encoding="utf-8") as file:
        wrong, unknown = complaints(root, file.read())
    for line in wrong:
        print(f"README.md: {line}")
    if wrong:
        return 1
    if unknown:
        print(f"skipped: {', '.join(sorted(set(unknown)))} cannot be looked up in this clone")
        return SKIP
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
