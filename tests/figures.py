#!/usr/bin/python3
"""Whether README.md says of which version its figures are, and whether that is still true.

    figures.py SOURCE_ROOT

Below each table of figures a paragraph begins with

    Measured with version `COMMIT`.

and anywhere else `measured with version` names one, too. The scheduler decides what is measured: when
it is not, to the letter, what it was in that commit, the words "the scheduler has changed since" have
to follow, before the paragraph ends; when it is, they must not stand there. Files are compared and not
dates, so a commit that was picked from another branch is no other version.

Where the commit cannot be looked up (a shallow clone, no git) nothing is known, and the test is skipped
(77), unless the README is wrong already.
"""
import os
import re
import subprocess
import sys

SCHEDULER = ("prerequest/*.c", "prerequest/*.h", ":(exclude)prerequest/marks",
             ":(exclude)prerequest/splitmix64.h")  # the scheduler draws no random numbers
VERSION = re.compile(r"measured with version `([0-9a-f]{7,40})`", re.I)
CHANGED = "the scheduler has changed since"
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
    """Whether the scheduler is another than in this commit. None: that cannot be known here. Raises
    LookupError when there is no such commit."""
    status, shallow = git(root, "rev-parse", "--is-shallow-repository")
    if status != 0:
        return None
    if git(root, "rev-parse", "--verify", "--quiet", commit + "^{commit}")[0] != 0:
        if shallow == "true":
            return None
        raise LookupError
    return git(root, "diff", "--quiet", commit, "--", *SCHEDULER)[0] != 0


def complaints(root, text):
    """(what is wrong, what could not be looked up), as lines."""
    wrong, unknown = [], []
    paragraphs = text.split("\n\n")
    for this, after in zip(paragraphs, [*paragraphs[1:], ""]):
        if FIGURES.search(this) and not VERSION.match(after.lstrip()):
            wrong.append("no line \"Measured with version `COMMIT`.\" below the table "
                         + this.strip().splitlines()[0])
    for paragraph in paragraphs:
        parts = VERSION.split(" ".join(paragraph.split()))
        for commit, rest in zip(parts[1::2], parts[2::2]):
            said = CHANGED in rest.lower()
            try:
                is_changed = changed(root, commit)
            except LookupError:
                wrong.append(f"{commit} is no commit of this repository")
                continue
            if is_changed is None:
                unknown.append(commit)
            elif is_changed and not said:
                wrong.append(f'the scheduler is not that of {commit} any more: measure again, or say "{CHANGED}"')
            elif said and not is_changed:
                wrong.append(f'the scheduler is still that of {commit}: do not say "{CHANGED}"')
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
