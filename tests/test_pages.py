"""pages.py: on pages and records made for the purpose."""
import contextlib
import io
import json
import lzma
import math
import os
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools", "lab"))

import page_table  # noqa: E402
import pages  # noqa: E402

FILE = "docs/results/small.jsonl"
TABLE = f"""<!-- table
records = "{FILE}"
head = "link"
rows = [{{ label = "far", link.rtt_ms = 300 }}]
columns = [{{ label = "ours", system = "ours" }}]
values = ["fps", "response_p50"]
-->
<!-- end of table -->
"""


def record(fps, response=310.0, system="ours", rtt=300, repeat=1, version="1a2b3c4", machine="one", **result):
    """A run that succeeded, unless `result` says otherwise."""
    sightings = {"fps": fps, "still_ms": 50, "duration_s": 10, "presses": 20, "responses_lost": 0,
                 "response_ms": {"p50": response}}
    return {
        "experiment": "small", "key": f"{system} {rtt} {repeat}", "system": system, "cell": {},
        "settings": {"server": "tigervnc", "link": {"rtt_ms": rtt}, "seed": repeat, "repeat": repeat},
        "machine": {"id": machine}, "versions": {"vnchl": version}, "started": "2026-01-02T03:04:05Z",
        "result": {"ok": True, "sightings": {**sightings, **result.pop("sightings", {})},
                   "picture": {"psnr_db": {"p50": 39.5}}, **result},
    }


class Pages(unittest.TestCase):
    """A source tree with one page."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.root = temporary.name
        self.records([record(29.0), record(29.5, repeat=2), record(28.0, repeat=3)])

    def write(self, name, text):
        """A file of the tree."""
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        """Its text."""
        with open(os.path.join(self.root, name), encoding="utf-8") as file:
            return file.read()

    def records(self, records, name=FILE):
        """The file of records."""
        self.write(name, "".join(json.dumps(r) + "\n" for r in records))

    def run_tool(self, what="--check"):
        """(exit status, what is printed)."""
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            status = pages.main([what, "--root", self.root])
        return status, out.getvalue()

    def made(self, table=TABLE):
        """(the lines of the table, the sentences below it)."""
        text, _ = pages.renewed(table, page_table.Records(self.root))
        below = text[text.index("-->\n") + len("-->\n"):].removesuffix("<!-- end of table -->\n")
        rows, _, said = below.partition("\n\n")
        return rows.splitlines(), " ".join(said.split())

    def test_a_table(self):
        rows, said = self.made()
        self.assertEqual(rows, ["| link | ours |", "| --- | --- |", "| far | 29.0 (28.0-29.5); 310; 39.5 dB |"])
        self.assertEqual(
            said, "Measured with version `1a2b3c4` on 2026-01-02. Medians of 3 runs; in brackets the smallest and the "
            "largest, where they differ by more than one in the last digit. In this order: frames per second; "
            "response, median, ms.")

    def test_single_runs(self):
        self.records([record(29.0)])
        rows, said = self.made()
        self.assertEqual(rows[2], "| far | 29.0; 310; 39.5 dB |")
        self.assertIn("Single runs.", said)

    def test_a_run_made_again(self):
        """Only the later one counts."""
        self.records([record(10.0), record(29.0)])
        self.assertEqual(self.made()[0][2], "| far | 29.0; 310; 39.5 dB |")

    def test_how_good_the_pictures_are(self):
        """A rate is not told alone."""
        for level, in_cell in ((8, ""), (6, ""), (5, "; JPEG level 5.0"), (None, "")):
            report = {} if level is None else {"quality": level}
            self.records([record(29.0, picture=None, viewer_report=report)])
            rows, said = self.made()
            self.assertEqual(rows[2], f"| far | 29.0; 310{in_cell} |")
            self.assertIn("PSNR was not measured.", said)
            self.assertEqual("The JPEG level is what was asked for last." in said, bool(in_cell))
        self.records([record(29.0, picture=None, quality=4.25, viewer_report={"quality": 8})])
        rows, said = self.made()
        self.assertEqual(rows[2], "| far | 29.0; 310; JPEG level 4.2 |")
        self.assertNotIn("asked for last", said)
        self.records([record(29.0)])
        self.assertEqual(self.made(TABLE.replace('"fps", ', ""))[0][2], "| far | 310 |")
        self.assertEqual(self.made(TABLE.replace('"fps", ', '"psnr_db", "fps", '))[0][2], "| far | 39.5; 29.0; 310 |")

    def test_records_to_come(self):
        """Of a campaign, which says where they will be; others are a slip."""
        os.remove(os.path.join(self.root, FILE))
        with self.assertRaisesRegex(pages.PageError, "there is no docs/results/small.jsonl"):
            self.made()
        part = '[[part]]\nexperiment = "small"\nfolder = "some"\n[[part]]\ntool = "other"\nfolder = "some"\n'
        self.write(page_table.CAMPAIGN, part)
        table = TABLE.replace(FILE, "docs/results/some/small.jsonl")
        self.assertEqual(self.made(table)[0], [page_table.TO_COME])
        with self.assertRaisesRegex(pages.PageError, "there is no docs/results/small.jsonl"):
            self.made()
        self.records([record(29.0)], "docs/results/some/small.jsonl")
        self.assertEqual(self.made(table)[0][2], "| far | 29.0; 310; 39.5 dB |")

    def test_a_packed_file(self):
        path = os.path.join(self.root, FILE)
        with open(path, "rb") as file, lzma.open(path + ".xz", "wb") as packed:
            packed.write(file.read())
        rows, _ = self.made()
        os.remove(path)
        self.assertEqual(self.made()[0], rows)

    def test_figures_of_a_program(self):
        """With as many digits as fit, and the unit in the head of the order."""
        runs = [{**record(0, repeat=n), "result": {"ok": True, "figures": {"first picture, ms": v, "waits": n}}}
                for n, v in ((1, 70.4), (2, 72.6), (3, 199.5))]
        self.records(runs)
        rows, said = self.made(TABLE.replace('"fps", "response_p50"', '"figures.first picture, ms", "figures.waits"'))
        self.assertEqual(rows[2], "| far | 73 (70-200); 2 (1-3) |")
        self.assertIn("In this order: first picture, ms; waits.", said)

    def test_doubtful_failed_unanswered(self):
        self.records([record(29.0, machine_other=0.5), record(29.0, repeat=2, sightings={"responses_lost": 3}),
                      record(0, repeat=3, ok=False, error="no picture")])
        rows, said = self.made()
        self.assertEqual(rows[2], "| far | 29.0; 310; 39.5 dB; 3 of 40 unanswered† |")
        self.assertIn("Medians of 2 runs", said)
        self.assertIn("Runs that failed: 1. †: a doubtful run", said)
        self.records([record(0, ok=False, error="no picture")])
        rows, said = self.made()
        self.assertEqual(rows[2], "| far | failed |")
        self.assertNotIn("Single runs", said)
        self.records([record(29.0, sightings={"responses_lost": 3})])
        rows, _ = self.made(TABLE.replace('"fps", "response_p50"', '"beyond_p95"'))
        self.assertIn("3 of 20 unanswered", rows[2])

    def test_a_figure_that_a_run_lacks(self):
        """Its median is of fewer runs than the table says."""
        self.records([record(29.0), record(28.0, response=None, repeat=2), record(20.0, response=330.0, repeat=3)])
        rows, said = self.made()
        self.assertEqual(rows[2], "| far | 28.0 (20.0-29.0); 320 (310-330)\\*; 39.5 dB |")
        self.assertIn("Medians of 3 runs", said)
        self.assertIn("last digit. \\*: the median of fewer runs; the others have no such figure. In", said)
        self.records([record(29.0, response=None), record(28.0, response=None, repeat=2)])
        rows, said = self.made()
        self.assertEqual(rows[2], "| far | 28.5 (28.0-29.0); -; 39.5 dB |")
        self.assertNotIn("fewer", said)

    def test_several_links_in_a_row(self):
        """They are not put together."""
        self.records([record(29.0), record(20.0, rtt=500)])
        rows, said = self.made(TABLE.replace("rtt_ms = 300", "rtt_ms = [300, 500]"))
        self.assertEqual(rows[2], "| far | 20.0 to 29.0; 310; 39.5 dB |")
        self.assertIn("A to B: of several links or settings.", said)

    def test_several_versions(self):
        self.records([record(29.0), record(20.0, rtt=500, version="5d6e7f8")])
        table = TABLE.replace("300 }", '300 }, { label = "farther", link.rtt_ms = 500 }')
        rows, said = self.made(table)
        self.assertEqual([row.split(" | ")[-1] for row in rows[2:]], ["`1a2b3c4` |", "`5d6e7f8` |"])
        self.assertTrue(said.startswith("Measured on 2026-01-02."))

    def test_names_of_settings(self):
        """An entry for each value; links in order, systems as they were run."""
        self.records([record(1.0, rtt=500), record(2.0), record(3.0, system="another")])
        table = TABLE.replace('[{ label = "far", link.rtt_ms = 300 }]', '"link.rtt_ms"').replace(
            '[{ label = "ours", system = "ours" }]', '"system"').replace(', "response_p50"', "")
        self.assertEqual(self.made(table)[0], [
            "| link | ours | another |", "| --- | --- | --- |",
            "| RTT 300 ms | 2.0; 39.5 dB | 3.0; 39.5 dB |", "| RTT 500 ms | 1.0; 39.5 dB |  |"])

    def test_compared(self):
        """At the same place of the experiment: so many times as much, and how often as good."""
        def at(place, fps, system):
            return {**record(fps, system=system, repeat=place), "cell": {"place": place}}

        self.records([at(1, 20.0, "ours"), at(1, 10.0, "plain"), at(1, 19.0, "other"),
                      at(2, 29.0, "ours"), at(2, 10.0, "plain"), at(2, 29.5, "other"),
                      at(3, 10.0, "ours"), at(3, 10.0, "other")])
        table = TABLE.replace(', "response_p50"', "")
        rows, said = self.made(table.replace("values", 'over = { system = "plain" }\nvalues'))
        self.assertEqual(rows[2], "| far | 2 to 2.9 |")
        self.assertIn("Ratios of medians. A to B: of several links or settings.", said)
        with self.assertRaisesRegex(pages.PageError, "`over` fits several runs at one place"):
            self.made(table.replace("values", 'over = { system = ["plain", "other"] }\nvalues'))
        rows, said = self.made(table.replace('"ours" }', '["plain", "other"] }').replace(
            "values", 'wins = { system = "ours" }\nvalues'))
        self.assertEqual(rows[2], "| far | 2 (3) of 3 |")
        self.assertIn("within 3 % of that.", said)
        none = {"ok": False, "error": "none"}
        self.records([{**at(1, 20.0, "ours"), "result": record(20.0, machine_other=0.5)["result"]},
                      {**at(1, 0, "plain"), "result": none},
                      {**at(2, 0, "ours"), "result": none}, at(2, 10.0, "plain")])
        twice = table.replace("[{ label", '[{ label = "again", system = "plain" }, { label', 1).replace("ours", "plain")
        rows, said = self.made(twice.replace("values", 'wins = { system = "ours" }\nvalues'))
        self.assertEqual(rows[3], "| far | 0 (0) of 1† |")  # ours failed, and has lost; theirs failed
        self.assertIn("Runs that failed: 2.", said)

    def test_what_never_came(self):
        """It does not win, and loses against what came."""
        none, some = math.inf, 20.0
        for ours, theirs, expected in (
                (none, [none, None], "0 (0) of 1"), (none, [some], "0 (0) of 1"), (some, [none], "1 (1) of 1"),
                (None, [none], "0 (0) of 1"), (some, [None], "0 (0) of 0"), (20.5, [some, none], "0 (1) of 1")):
            self.assertEqual(page_table._wins([(ours, theirs)], False), expected)
        self.assertEqual(page_table._wins([(0, [0])], True), "0 (0) of 1")  # no frames are none of the best

    def test_an_entry_of_its_own(self):
        """Records and figures; a label of several columns."""
        self.records([record(12.0)], "docs/results/other.jsonl")
        table = TABLE.replace('"link"', '["link", "paper"]').replace(
            'label = "far"', 'label = ["far", "9 | 9"], records = "docs/results/other.jsonl", values = "fps"')
        rows, said = self.made(table)
        self.assertEqual([rows[0], rows[2]], ["| link | paper | ours |", "| far | 9 \\| 9 | 12.0; 39.5 dB |"])
        self.assertNotIn("In this order", said)

    def test_check_and_write(self):
        """What is around the tables stays, and so does a block of code."""
        around = "# Title\n\n```\n<!-- table\n```\n\n- a list\n\n  {}Last  \n"
        page = around.format(TABLE.replace("\n", "\n  ").rstrip(" "))
        self.write("docs/page.md", page)
        self.write("README.md", "no table")
        status, said = self.run_tool()
        self.assertEqual((status, said.splitlines()[0]), (1, "docs/page.md:16: the records give: | link | ours |"))
        self.assertEqual(self.read("docs/page.md"), page)
        self.assertEqual(self.run_tool("--write"), (0, "docs/page.md: written\n"))
        new = self.read("docs/page.md")
        self.assertEqual(new[:page.index("  <!-- end")], page[:page.index("  <!-- end")])
        self.assertTrue(new.endswith("\n  <!-- end of table -->\nLast  \n"))
        self.assertIn("\n  | far | 29.0 ", new)
        self.assertEqual(self.run_tool(), (0, ""))
        self.assertEqual(self.run_tool("--write"), (0, ""))
        self.write("docs/page.md", new.replace("(28.0-29.5)", "(29.0-29.5)"))
        status, said = self.run_tool()
        self.assertEqual(status, 1)
        self.assertTrue(said.startswith("docs/page.md:18: the records give: | far | 29.0 (28.0-29.5)"))

    def test_a_file_is_read_once(self):
        self.write("docs/one.md", TABLE + TABLE)
        self.write("docs/two.md", TABLE)
        with mock.patch.object(page_table.data, "read_file", side_effect=page_table.data.read_file) as read:
            self.run_tool("--write")
        self.assertEqual(read.call_count, 1)

    def test_slips(self):
        """One line each: page, line, and what is wrong."""
        self.records([record(29.0, machine="two")], "docs/results/other.jsonl")
        for old, new, line, said in (
                ("<!-- table", "<!-- tables", 10, "a table begins with `<!-- table`"),
                ("<!-- table", "<!-- table:", 3, "a table begins with `<!-- table`"),
                ("-->\n<", "<", 3, "this table's description has no end: `-->`"),
                ("<!-- end of table -->", "", 3, "this table has no end: `<!-- end of table -->`"),
                ("<!-- table\n", "<!-- end of table -->\n<!-- table\n", 3, "a table begins with"),
                ("head =", "head", 5, "table: not TOML: "),
                ("head", "heads", 3, "table: unknown key `heads`; known: records, rows, "),
                (f'records = "{FILE}"\n', "", 3, "table: `records` is missing: a file"),
                (FILE, "docs/results/none.jsonl", 3, "table: there is no docs/results/none.jsonl"),
                ('"fps"', '"fsp"', 3, 'table: unknown figure "fsp"'),
                ('"link"', "1", 3, "table: `head` has to be a string"),
                ('"link"', '["link", "paper"]', 3, "table: rows, entry 1: 1 labels, where the table has 2"),
                ("values", 'over = { a = 1 }\nwins = { a = 1 }\nvalues', 3, "table: there is either `over` or `wins`"),
                ('values = ["fps"', 'wins = { a = 1 }\nvalues = ["kb_per_drawn"', 3,
                 "table: `wins`: of `kb_per_drawn` neither more nor less is better"),
                ("values", "where = 1\nvalues", 3, "table: `where` has to be a table"),
                ('label = "far", ', "", 3, "table: rows, entry 1: `label` is missing"),
                ('system = "ours"', 'system = "theirs"', 3, 'table: no run fits "far"'),
                ("[{ label", '["server", { label', 3, "table: `rows, entry 1` has to be a table"),
                ('rows = [{ label = "far", link.rtt_ms = 300 }]', 'rows = "system"\nwhere = { server = "demo" }', 3,
                 "table: no run fits `where`"),
                (f'"{FILE}"', f'["{FILE}", "docs/results/other.jsonl"]', 3,
                 "table: records of 2 different machines")):
            self.assertIn(old, TABLE)
            self.write("docs/page.md", "# Title\n\n" + TABLE.replace(old, new, 1))
            for what in ("--check", "--write"):
                status, printed = self.run_tool(what)
                self.assertEqual((status, printed.count("\n")), (1, 1), printed)
                self.assertTrue(printed.startswith(f"docs/page.md:{line}: {said}"), printed)


if __name__ == "__main__":
    unittest.main()
