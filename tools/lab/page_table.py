"""One table of figures in a Markdown page: from its description and the records to its lines.

docs/results/README.md ("Tables in the documentation") has the description's keys. Figures and their medians are the
report's own.
"""
import os
import re
import textwrap
import tomllib
from collections import namedtuple

import report_data as data
import report_html as html
import report_metrics as metrics
from records import PACKED

CAMPAIGN = "tools/lab/campaign.toml"
TO_COME = "Not measured yet with the present version."
EXPERIMENTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "experiments")

REQUIRED = {"records": "a file, or a list of files", "rows": "settings, or a list of { label = ... }",
            "columns": "settings, or a list of { label = ... }", "values": "a list of figures"}
OPTIONAL = ("head", "where", "over", "wins")

# Below this JPEG level of vnchl's a rate is told with the quality of its pictures.
FINE_LEVEL = 6
# Behind a figure that some of the cell's runs do not have. Two bare asterisks in a line would be emphasis.
FEWER = "\\*"
WIDTH = 118

# A row or column: the words before its figures, and what is particular to it. `records` and `values` are
# None where those of the table hold.
Entry = namedtuple("Entry", "labels where records values")


def _promised(root):
    """The files of records that the campaign makes (campaign.toml)."""
    try:
        with open(os.path.join(root, CAMPAIGN), "rb") as file:
            parts = tomllib.load(file)["part"]
    except FileNotFoundError:
        return set()
    return {f"docs/results/{part['folder']}/{part.get('experiment') or part['tool']}.jsonl" for part in parts}


class TableError(Exception):
    """One line: what is wrong with a description. `line` counts its lines from 1; 0: not known."""

    def __init__(self, text, line=0):
        super().__init__(text)
        self.line = line


class Records:
    """The record files of one source tree, each read once."""

    def __init__(self, root):
        self.root = root
        self.files = {}  # by path: (a record of each machine, cells)
        self.promised = _promised(root)

    def to_come(self, paths):
        """Whether none of these files is there, and the campaign makes all of them."""
        return all(path in self.promised for path in paths) and not any(
            os.path.isfile(os.path.join(self.root, path + end)) for path in paths for end in ("", PACKED))

    def _of(self, path):
        """What the file has."""
        if path not in self.files:
            file = os.path.join(self.root, path)
            if not os.path.isfile(file) and os.path.isfile(file + PACKED):
                file += PACKED
            if not os.path.isfile(file):
                raise TableError(f"there is no {path}")
            read = data.read_file(file)
            machines = {str(r["machine"].get("id")): {k: r[k] for k in ("machine", "place")} for r in read}
            self.files[path] = (list(machines.values()),
                                [c for e in data.group(read, EXPERIMENTS) for c in e.cells])
        return self.files[path]

    def cells(self, paths):
        """The cells of these files."""
        return [cell for path in paths for cell in self._of(path)[1]]

    def check_machine(self, paths):
        """Raises ReportError unless all was measured on one machine."""
        data.check_machine([record for path in paths for record in self._of(path)[0]])


def _list(value):
    return value if isinstance(value, list) else [value]


def _words(value, key):
    """The value as a list of strings."""
    words = _list(value)
    if not words or not all(isinstance(w, str) for w in words):
        raise TableError(f"`{key}` has to be a string, or a list of strings")
    return words


def _figures(value):
    names = _words(value, "values")
    for name in names:
        metrics.metric(name)  # or says which there are
    return names


def _parsed(text):
    """The description as a table of TOML."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as e:
        at = re.search(r" \(at line (\d+), column \d+\)$", str(e))
        raise TableError(f"not TOML: {str(e)[:at.start()] if at else e}", int(at[1]) if at else 0) from None


class Table:
    """A description, checked as far as that goes without the records."""

    def __init__(self, text):
        spec = _parsed(text)
        for key in spec:
            if key not in (*REQUIRED, *OPTIONAL):
                raise TableError(f"unknown key `{key}`; known: {', '.join([*REQUIRED, *OPTIONAL])}")
        for key, meaning in REQUIRED.items():
            if key not in spec:
                raise TableError(f"`{key}` is missing: {meaning}")
        self.files = _words(spec["records"], "records")
        self.head = _words(spec.get("head", ""), "head")
        self.values = _figures(spec["values"])
        self.where, self.over, self.wins = (self._settings(spec.get(key, {}), key) for key in ("where", "over", "wins"))
        if self.over and self.wins:
            raise TableError("there is either `over` or `wins`")
        self.rows = self._entries(spec["rows"], "rows", len(self.head))
        self.columns = self._entries(spec["columns"], "columns", 1)
        if self.wins:
            self._check_better()

    def _check_better(self):
        """Raises TableError where nobody can win."""
        entries = [entry for entry in self.rows + self.columns if not isinstance(entry, str)]
        for name in self.values + [name for entry in entries for name in entry.values or []]:
            if not metrics.metric(name).better:
                raise TableError(f"`wins`: of `{name}` neither more nor less is better")

    @staticmethod
    def _settings(table, key):
        if not isinstance(table, dict):
            raise TableError(f"`{key}` has to be a table: {{ server = \"tigervnc\" }}")
        return data.flatten(table)

    @classmethod
    def _entries(cls, spec, key, labels):
        """Names of settings, whose values the records have, or entries."""
        if all(isinstance(s, str) for s in _list(spec)):
            if labels > 1:
                raise TableError(f"`head` has {labels} words: only labelled `{key}` can have as many")
            return _words(spec, key)
        return [cls._entry(table, f"{key}, entry {n}", labels) for n, table in enumerate(_list(spec), 1)]

    @classmethod
    def _entry(cls, table, place, labels):
        where = cls._settings(table, place)
        if "label" not in where:
            raise TableError(f"{place}: `label` is missing")
        words = _words(where.pop("label"), f"{place}, label")
        if len(words) != labels:
            raise TableError(f"{place}: {len(words)} labels, where the table has {labels}")
        records, values = (where.pop(name, None) for name in ("records", "values"))
        return Entry(words, where, records and _words(records, f"{place}, records"),
                     values and _figures(values))

    def every_file(self):
        """The files of records, with those of single rows and columns."""
        named = [entry for entry in self.rows + self.columns if not isinstance(entry, str)]
        return list(dict.fromkeys(self.files + [file for entry in named for file in entry.records or []]))

    def lines(self, records):
        """The table and the sentences below it, without line ends."""
        if records.to_come(self.every_file()):
            return [TO_COME]
        return _Drawn(self, records).lines()


def _each(paths, cells):
    """An entry for each value of the settings that occurs; systems in the order of their runs."""
    keys = [tuple(cell.get(path) for path in paths) for cell in cells]
    keys = list(dict.fromkeys(keys)) if paths == ["system"] else data.unique(keys)
    return [Entry([", ".join(metrics.describe(p, v) for p, v in zip(paths, key) if v not in ("", None))],
                  dict(zip(paths, key)), None, None) for key in keys]


def _figure(cells, name):
    """The median, and in brackets the extremes where they are apart. Of several cells, for which no median
    can stand, the smallest and the largest one. Marked where a run lacks the figure."""
    digits = metrics.metric(name).digits
    of_cells = [f.median for f in (metrics.Figure([cell], name) for cell in cells) if f.median is not None]
    if not of_cells:
        return "-"
    medians = min(of_cells), max(of_cells)
    whole = metrics.Figure(cells, name)
    if digits is None:
        digits = metrics.fitting([*medians, whole.low, whole.high])
    text = " to ".join(dict.fromkeys(metrics.show(end, digits) for end in medians))
    apart = round(whole.high, digits) - round(whole.low, digits) > 1.5 * 10**-digits
    if apart and (whole.low, whole.high) != medians:
        text += f" ({metrics.show(whole.low, digits)}-{metrics.show(whole.high, digits)})"
    fewer = any(0 < metrics.Figure([cell], name).runs < len(cell.results) for cell in cells)
    return text + FEWER if fewer else text


def _pairs(cells, others, name):
    """For each cell its median, and those of the others at the same place of the experiment."""
    beside = {}
    for other in others:
        beside.setdefault(data.plain(other.axes), []).append(metrics.Figure([other], name).median)
    return [(metrics.Figure([cell], name).median, beside.get(data.plain(cell.axes), [])) for cell in cells]


def _times(pairs):
    """Ours over theirs, the smallest and the largest."""
    ratios = [data.ratio(ours, theirs[0]) for ours, theirs in pairs if theirs]
    ratios = [ratio for ratio in ratios if ratio is not None]
    ends = [f"{end:.2g}" for end in (min(ratios), max(ratios))] if ratios else ["-"]
    return " to ".join(dict.fromkeys(ends))


def _wins(pairs, more_is_better):
    """How often ours is as good as the best of theirs, and in brackets within a tie of that. Where ours
    failed, or has no such figure, it has lost; where all of theirs did, there is nothing to compare with."""
    won = tied = of = 0
    for ours, theirs in pairs:
        known = [v for v in theirs if v is not None]
        if not known:
            continue
        of += 1
        won += data.is_best(ours, [ours, *known], more_is_better, tie=0)
        tied += data.is_best(ours, [ours, *known], more_is_better)
    return f"{won} ({tied}) of {of}"


def _unanswered(cells):
    """How many presses had no effect; empty when all had."""
    seen = [result.get("sightings") or {} for cell in cells for result in cell.results]
    lost, presses = (sum(data.number(s.get(key)) or 0 for s in seen) for key in ("responses_lost", "presses"))
    return f"{lost:g} of {presses:g} unanswered" if lost else ""


class _Drawn:
    """A table with its records, and what the sentences below it are about."""

    def __init__(self, table, records):
        self.table = table
        self.records = records
        self.cells = []  # all that stand in it
        self.named = set()  # the figures
        self.doubtful = False  # some figure is
        self.in_order = False  # some cells have the table's own figures
        self.ranges = False
        self.fewer = False  # a figure is marked
        self.pictures = set()  # of rates: whether PSNR was measured

    def _entries(self, entries):
        if not isinstance(entries[0], str):
            return entries
        found = [c for c in self.records.cells(self.table.files) if c.fits(self.table.where)]
        return _each(entries, found)

    def _at(self, row, column, instead=()):
        """The cells that are meant; `instead` has settings that count instead of what is said of them."""
        files = row.records or column.records or self.table.files
        wheres = [{k: v for k, v in where.items() if k not in instead}
                  for where in (self.table.where, column.where, row.where)]
        return [c for c in self.records.cells(files) if all(map(c.fits, [*wheres, dict(instead)]))]

    def _picture(self, cells, names):
        """How good the pictures are whose rate is told, where `names` do not tell it."""
        if "psnr_db" in names or not any(metrics.metric(n).unit == "fps" for n in names):
            return ""
        measured = metrics.Figure(cells, "psnr_db").runs > 0
        self.pictures.add(measured)
        if measured:
            return _figure(cells, "psnr_db") + " dB"
        level = metrics.Figure(cells, "quality")
        if "quality" in names or not level.runs or level.low >= FINE_LEVEL:
            return ""
        self.named.add("quality")
        return f"JPEG level {_figure(cells, 'quality')}"

    def _text(self, row, column):
        """What stands where they meet."""
        cells, before = self._at(row, column), len(self.cells)
        self.cells += cells
        if not cells:
            return ""
        names = row.values or column.values or self.table.values
        self.named.update(names)
        self.in_order |= not (row.values or column.values)
        self.ranges |= len(cells) > 1 and not self.table.wins
        parts = self._compared(row, column, cells, names) or self._figures(cells, names)
        self.fewer |= any(FEWER in part for part in parts)
        doubtful = any(metrics.doubtful(cell, name) for cell in self.cells[before:] for name in names)
        self.doubtful |= doubtful
        return "; ".join(p for p in parts if p) + (html.DOUBTFUL if doubtful else "")

    def _figures(self, cells, names):
        """The medians, and what is to be told beside them."""
        if not any(cell.results for cell in cells):
            return ["failed"]
        parts = [_figure(cells, name) for name in names] + [self._picture(cells, names)]
        of_answers = any(name.startswith(("response", "beyond")) for name in names)
        return parts + [_unanswered(cells)] if of_answers else parts

    def _compared(self, row, column, cells, names):
        """With those that `over` or `wins` names; None without such a word."""
        compared = self.table.over or self.table.wins
        if not compared:
            return None
        others = self._at(row, column, compared)
        self.cells += others
        if self.table.over:
            return [_times(self._one_to_one(cells, others, name)) for name in names]
        return [_wins(_pairs(others, cells, name), metrics.metric(name).better == 1) for name in names]

    @staticmethod
    def _one_to_one(cells, others, name):
        """Pairs for a ratio: of several at a place none would be the one."""
        pairs = _pairs(cells, others, name)
        if any(len(theirs) > 1 for _, theirs in pairs):
            raise TableError("`over` fits several runs at one place")
        return pairs

    def _body(self, rows, columns):
        """(texts, versions) of each row. What has no run at all is a slip."""
        body = []
        for row in rows:
            before = len(self.cells)
            texts = [self._text(row, column) for column in columns]
            body.append((texts, _versions(self.cells[before:])))
        beside = [(row, texts) for row, (texts, _) in zip(rows, body)]
        below = [(column, [texts[n] for texts, _ in body]) for n, column in enumerate(columns)]
        for entry, texts in beside + below:
            if not any(texts):
                raise TableError(f"no run fits \"{', '.join(entry.labels)}\"")
        return body

    def lines(self):
        """The rows, a blank line, and sentences."""
        self.records.check_machine(self.table.every_file())
        rows, columns = self._entries(self.table.rows), self._entries(self.table.columns)
        if not rows or not columns:
            raise TableError("no run fits `where`")
        body = self._body(rows, columns)
        several = len(_versions(self.cells)) > 1
        last = [["version"], *([_named(versions)] for _, versions in body)] if several else [[]] * (len(body) + 1)
        heads = self.table.head + [label for column in columns for label in column.labels] + last[0]
        lines = [_row(heads), _row(["---"] * len(heads))]
        lines += [_row(row.labels + texts + end) for row, (texts, _), end in zip(rows, body, last[1:])]
        return [*lines, "", *textwrap.wrap(self._sentences(several), WIDTH, break_long_words=False,
                                           break_on_hyphens=False)]

    def _sentences(self, several):
        """Version, days, repeats, what the figures are, and what is to be known of them."""
        days = sorted({day for cell in self.cells for day in cell.days})
        results = [result for cell in self.cells for result in cell.results]
        failed = sum(len(cell.errors) for cell in {id(cell): cell for cell in self.cells}.values())
        said = {
            "Measured" + ("" if several else f" with version {_named(_versions(self.cells))}")
            + (f" on {days[0]}." if len(days) == 1 else f" from {days[0]} to {days[-1]}."): True,
            self._repeats(): results,
            f"{FEWER}: the median of fewer runs; the others have no such figure.": self.fewer,
            "Ratios of medians.": self.table.over,
            "Counted is where a figure is as good or better; in brackets also where it is within "
            f"{data.TIE_TEXT} of that.": self.table.wins,
            f"In this order: {'; '.join(map(_figure_named, self.table.values))}.":
                self.in_order and len(self.table.values) > 1,
            "A to B: of several links or settings.": self.ranges,
            "Frames per second are counted from the first frame seen to the last.":
                "fps" in self.named and any(map(metrics.counts_between_frames, results)),
            "The JPEG level is what was asked for last.": "quality" in self.named and any(
                metrics.tells_last_level(result, cell.settings) for cell in self.cells for result in cell.results),
            "PSNR was not measured.": self.pictures == {False},
            "Where no dB stand, PSNR was not measured.": self.pictures == {False, True},
            f"Runs that failed: {failed}.": failed,
            f"{html.DOUBTFUL}: a doubtful run is among them (`warning` in its record).":
                self.doubtful,
        }
        return " ".join(sentence for sentence, holds in said.items() if holds)

    def _repeats(self):
        counts = sorted({len(cell.results) for cell in self.cells if cell.results})
        if counts in ([], [1]):
            return "Single runs."
        runs = f"{counts[0]} runs" if len(counts) == 1 else f"{counts[0]} to {counts[-1]} runs"
        return (f"Medians of {runs}; in brackets the smallest and the largest, where they differ by more than one in "
                "the last digit.")


def _versions(cells):
    return list(dict.fromkeys(version for cell in cells for version in cell.versions))


def _named(versions):
    return ", ".join(f"`{version}`" for version in versions)


def _figure_named(name):
    metric = metrics.metric(name)
    return metric.label if metric.unit == "fps" else metrics.labelled(metric)


def _row(texts):
    """A line of the table. A word must not end its cell."""
    return "| " + " | ".join(data.printable(text).replace("|", "\\|") for text in texts) + " |"
