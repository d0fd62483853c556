#!/usr/bin/python3
"""Whether the tables of figures in the Markdown pages are what the lab's records give.

    tools/lab/pages.py --check      # says where they are not
    tools/lab/pages.py --write      # writes those anew

In README.md and below docs/ such a table stands between two comments, which a browser does not show:

    <!-- table
    records = "docs/results/films/films.jsonl"
    ...
    -->
    | link | ...
    <!-- end of table -->

The first one says what the table shows (`page_table.py`). All between them is written, never by hand.
"""
import argparse
import os
import re
import sys
from collections import namedtuple

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import page_table  # noqa: E402
import report_data as data  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

START, STOP, END = "<!-- table", "-->", "<!-- end of table -->"
MARK = re.compile(r"<!--\s*(end of )?table\b")
FENCE = ("```", "~~~")

# A table's place among a page's lines: of its first comment, of the first line behind that comment, and
# of the last comment.
Place = namedtuple("Place", "start body end")


class PageError(Exception):
    """What is wrong with a page; `line` counts from 1."""

    def __init__(self, line, text):
        super().__init__(text)
        self.line = line


def _find(lines, begin, wanted, table, what):
    """Where the next line that is `wanted` stands, from `begin` on; `table` is where the table begins."""
    for n in range(begin, len(lines)):
        word = lines[n].strip()
        if word == wanted:
            return n
        if MARK.match(word):
            break
    raise PageError(table + 1, f"{what} has no end: `{wanted}`, alone in a line")


def places(lines):
    """The tables of a page. What stands in a block of code is none."""
    found, n, fenced = [], 0, False
    while n < len(lines):
        word = lines[n].strip()
        fenced ^= word.startswith(FENCE)
        if not fenced and MARK.match(word):
            if word != START:
                raise PageError(n + 1, f"a table begins with `{START}`, alone in a line, and ends once with `{END}`")
            body = _find(lines, n + 1, STOP, n, "this table's description") + 1
            found.append(Place(n, body, _find(lines, body, END, n, "this table")))
            n = found[-1].end
        n += 1
    return found


def _made(lines, place, records):
    """What has to stand in this place."""
    try:
        table = page_table.Table("\n".join(lines[place.start + 1:place.body - 1]))
        made = table.lines(records)
    except page_table.TableError as e:
        raise PageError(place.start + 1 + e.line, f"table: {e}") from None
    except data.ReportError as e:
        raise PageError(place.start + 1, f"table: {e}") from None
    indent = lines[place.start][:-len(lines[place.start].lstrip())]
    return [(indent + line).rstrip() for line in made]


def renewed(text, records):
    """(the page with its tables as the records give them, [(line, what is other there)])."""
    lines = text.split("\n")
    out, others, done = [], [], 0
    for place in places(lines):
        made, stands = _made(lines, place, records), lines[place.body:place.end]
        out += lines[done:place.body] + made
        done = place.end
        if made != stands:
            n = next((n for n, pair in enumerate(zip(made, stands)) if pair[0] != pair[1]),
                     min(len(made), len(stands)))
            given = made[n] if n < len(made) else "nothing"
            others.append((place.body + n + 1, f"the records give: {given.strip() or 'an empty line'}"))
    return "\n".join(out + lines[done:]), others


def pages(root):
    """The pages that may have tables, from the root."""
    found = ["README.md"] if os.path.isfile(os.path.join(root, "README.md")) else []
    for folder, _, files in os.walk(os.path.join(root, "docs")):
        found += [os.path.relpath(os.path.join(folder, f), root) for f in files if f.endswith(".md")]
    return sorted(found)


def run(root, write):
    """Prints a line for each table that is not as it has to be, or for each page written; the exit status."""
    records, wrong, old = page_table.Records(root), 0, 0
    for page in pages(root):
        path = os.path.join(root, page)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        try:
            new, others = renewed(text, records)
        except PageError as e:
            print(f"{page}:{e.line}: {e}")
            wrong += 1
            continue
        if write and new != text:
            with open(path, "w", encoding="utf-8") as file:
                file.write(new)
            print(f"{page}: written")
        elif not write:
            for line, other in others:
                print(f"{page}:{line}: {other}")
            old += len(others)
    if old:
        print("tools/lab/pages.py --write writes them anew")
    return 1 if wrong or old else 0


def main(argv):
    """The exit status."""
    parser = argparse.ArgumentParser(prog="pages.py", description="The tables of figures in the Markdown pages.")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--check", action="store_true", help="say which are not what the records give")
    what.add_argument("--write", action="store_true", help="write those anew")
    parser.add_argument("--root", default=ROOT, help="the source tree [this one]")
    args = parser.parse_args(argv)
    return run(args.root, args.write)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
