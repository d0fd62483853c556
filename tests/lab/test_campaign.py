"""The campaign: what it has, that it fits into its time, and what becomes of its records."""
import dataclasses
import importlib.util
import json
import lzma
import os
import unittest
from unittest import mock

import paths
import campaign
import experiment
import page_table
import pages
import records
import report_data as data
import runner

RUNS_AT_LEAST, SECONDS_AT_LEAST = 3, 20
HEADLINE_MINUTES = 40
PRESSES = 1040  # Octopus, section 5
SHORT = {"octopus-menu", "round-trips", "thesis-duration", "lai-nieh-web", "lai-nieh-loss", "lai-nieh-systems",
         "targets-drop"}  # which have cells that are over sooner, and why is told there


class Shipped(unittest.TestCase):
    """The one that is here."""

    @classmethod
    def setUpClass(cls):
        cls.most, cls.parts = campaign.load()
        cls.loaded = {p.name: experiment.load(p.name) for p in cls.parts if not p.command}

    def test_it_fits(self):
        self.assertLessEqual(sum(p.minutes for p in self.parts), self.most)
        self.assertLessEqual(next(p for p in self.parts if p.name == "headline").minutes, HEADLINE_MINUTES)

    def test_what_is_left_out(self):
        """A look in five minutes, recordings for the tests, and what accelerator-peers has."""
        self.assertEqual(set(experiment.names()) - set(self.loaded), {"quick", "traces", "accelerator-ours"})

    def test_runs_are_long_and_repeated(self):
        for name, loaded in self.loaded.items():
            cells = {}
            for run in loaded.runs():
                cells.setdefault((run.system, json.dumps(run.cell)), []).append(run.settings["duration_s"])
            for (system, cell), lengths in cells.items():
                self.assertGreaterEqual(len(lengths), RUNS_AT_LEAST, f"{name}: {system}, {cell}")
                if name not in SHORT:
                    self.assertGreaterEqual(lengths[0], SECONDS_AT_LEAST, f"{name}: {system}, {cell}")

    def test_a_thousand_presses(self):
        """As in the paper; and where 20 and 30 % are lost five runs of a minute."""
        for name in ("octopus-rtt", "octopus-loss"):
            presses, heavy = {}, {}
            for run in self.loaded[name].runs():
                place = (run.system, json.dumps(run.cell))
                if run.settings["press_every_ms"]:
                    presses[place] = presses.get(place, 0) + 1000 * run.settings["duration_s"] / 173
                if run.settings["link"]["loss_percent"] >= 20:
                    heavy.setdefault(place, []).append(run.settings["duration_s"])
            self.assertGreaterEqual(min(presses.values()), PRESSES, name)
            self.assertTrue(all(lengths == [60] * 5 for lengths in heavy.values()), name)

    def test_programs_are_there(self):
        for part in self.parts:
            words = [word for word in part.command if word.startswith("tools/")]
            self.assertEqual(len(words), bool(part.command), part.name)
            for word in words:
                self.assertTrue(os.path.exists(os.path.join(paths.ROOT, word)), word)

    def test_a_table_takes_no_others(self):
        """As its records are of one machine: a file that is measured anew stands with no other, or goes with those."""
        goes = {f"docs/results/{part.folder}/{part.name}.jsonl": part.together or part.name for part in self.parts}
        for page in pages.pages(paths.ROOT):
            with open(os.path.join(paths.ROOT, page), encoding="utf-8") as file:
                lines = file.read().split("\n")
            for place in pages.places(lines):
                files = page_table.Table("\n".join(lines[place.start + 1:place.body - 1])).every_file()
                self.assertEqual(len({goes.get(file) for file in files}), 1, f"{page}:{place.start + 1}")

    def test_an_experiment_is_no_group(self):
        """accelerator is both."""
        part, = campaign.chosen(self.parts, ["accelerator-places"])
        command = campaign._command(dataclasses.replace(part, name="accelerator"), "out", "build")
        path = command[command.index("run") + 1]
        self.assertEqual(experiment.load(path).name, "accelerator")
        self.assertIn(os.sep, path)

    def test_the_list(self):
        lines = list(campaign.table(self.parts))
        self.assertEqual(len(lines), 2 + len(self.parts))
        self.assertTrue(lines[2].startswith("| headline | 90 | 1 | "))
        self.assertEqual([p.name for p in campaign.chosen(self.parts, ["vnc-hl", "lean"])],
                         ["lean", "thesis-video", "thesis-inactive", "thesis-video-window", "thesis-duration"])
        with self.assertRaisesRegex(campaign.CampaignError, "nonsense is no part"):
            campaign.chosen(self.parts, ["nonsense"])


class Files(unittest.TestCase):
    """Parts of our own, and what they write."""

    def setUp(self):
        self.folder = paths.Folder(self)

    def load(self, text):
        return campaign.load(self.folder.write("campaign.toml", "hours = 1\n" + text))[1]

    def test_mistakes(self):
        for text, expected in (
                ("[[part]]\nfolder = 'a'\n", "either an experiment or a tool"),
                ("[[part]]\nexperiment = 'quick'\nfeeds = 'a'\n", "folder: is missing"),
                ("[[part]]\nexperiment = 'quick'\nfeeds = 3\n", "feeds: 3 is not known"),
                ("[[part]]\nexperiment = 'quick'\nfeeds = 'a'\nfolder = 'b'\n" * 2, "quick is a part twice")):
            with self.assertRaisesRegex(campaign.CampaignError, expected):
                self.load(text)

    def run_tool(self, version="1a2b3c4", end=""):
        """Runs a campaign of one program, which writes a record; (parts, bad ones, what was said)."""
        code = (f"import sys; sys.path.insert(0, {paths.LAB!r}); import records; "
                f"records.own_version = lambda *_: {version!r}; records.of_program(sys.argv[1], 'tool', 'vnchl', "
                f"[('ours', {{'part': 'a'}}, {{'time, ms': 3.5}}, 1767323045)]); {end}")
        parts = self.load(f"[[part]]\ntool = 'tool'\nminutes = 1\nfolder = 'costs'\nfeeds = 'a page'\n"
                          f"command = ['{{python}}', '-c', {json.dumps(code)}, '{{records}}']\n")
        said = []
        with mock.patch.object(records, "own_version", lambda *_: version):
            bad = campaign.run(parts, self.folder.path, "build", said.append)
        return parts, bad, said

    def test_a_program_and_its_records(self):
        parts, bad, said = self.run_tool()
        self.assertEqual((bad, len(said)), ([], 1))
        path = parts[0].file(self.folder.path)
        (found,) = data.group(data.read_file(path), self.folder.path)
        cell = found.cells[0]
        self.assertEqual((cell.results[0]["figures"], cell.days), ({"time, ms": 3.5}, ["2026-01-02"]))
        self.assertEqual(self.run_tool()[2], [])  # it is there already
        with self.assertRaisesRegex(campaign.CampaignError, "has records of 1a2b3c4, this is 5d6e7f8"):
            self.run_tool("5d6e7f8")
        with self.assertRaisesRegex(campaign.CampaignError, "has to be committed"):
            self.run_tool("5d6e7f8-dirty")

    def test_a_program_that_failed(self):
        """What it wrote is set aside, and it runs again."""
        parts, bad, said = self.run_tool(end="sys.exit(3)")
        path = parts[0].file(self.folder.path)
        self.assertEqual((bad, said[1:]), (["tool"], ["campaign: tool ended with status 3"]))
        self.assertEqual(os.listdir(os.path.dirname(path)), ["tool.jsonl.failed"])
        self.assertEqual(self.run_tool()[1], [])
        self.assertTrue(os.path.exists(path))

    def test_another_machine(self):
        """Its records stay alone."""
        self.run_tool()
        with mock.patch.object(records, "machine", lambda: {"id": "another"}), \
                self.assertRaisesRegex(campaign.CampaignError, "tool.jsonl has records of another machine"):
            self.run_tool()

    def test_a_commit_meanwhile(self):
        """Nothing is measured any more."""
        parts = self.load("".join(f"[[part]]\ntool = '{name}'\nminutes = 1\nfolder = 'costs'\nfeeds = 'a page'\n"
                                  "command = ['true']\n" for name in ("one", "two")))
        said, versions = [], iter(("1a2b3c4", "1a2b3c4", "1a2b3c4-dirty"))
        with mock.patch.object(records, "own_version", lambda *_: next(versions)), \
                self.assertRaisesRegex(campaign.CampaignError, "the source is not 1a2b3c4 any more"):
            campaign.run(parts, self.folder.path, "build", said.append)
        self.assertEqual(len(said), 1)

    def test_one_table(self):
        """Its parts are published once all of them are there, also where one is named."""
        parts = self.load("".join(f"[[part]]\ntool = '{name}'\nminutes = 1\nfolder = 'costs'\nfeeds = 'a page'\n"
                                  f"command = ['true']\n{more}" for name, more in
                                  (("one", "together = 'a'\n"), ("two", "together = 'a'\n"), ("three", ""))))
        target, said = os.path.join(self.folder.path, "target"), []

        def published(names):
            return [os.path.basename(path) for path in campaign.publish(
                campaign.chosen(parts, names), parts, self.folder.path, target, said.append)]

        os.makedirs(os.path.join(self.folder.path, "costs"))
        self.folder.write("costs/one.jsonl", "{}\n")
        self.folder.write("costs/three.jsonl", "{}\n")
        self.assertEqual(published([]), ["three.jsonl"])
        self.assertEqual(said, ["campaign: one, two stand in one table and go together: without two none of them"])
        self.folder.write("costs/two.jsonl", "{}\n")
        self.assertEqual(published(["two"]), ["one.jsonl", "two.jsonl"])

    def test_what_is_published(self):
        """Large files are packed, and take the place of others."""
        parts, _, _ = self.run_tool()
        target = os.path.join(self.folder.path, "target")
        path = os.path.join(target, "costs", "tool.jsonl")
        self.assertEqual(list(campaign.publish(parts, parts, self.folder.path, target)), [path])
        with mock.patch.object(campaign, "LARGE", 10):
            self.assertEqual(list(campaign.publish(parts, parts, self.folder.path, target)), [path + ".xz"])
        self.assertFalse(os.path.exists(path))
        with lzma.open(path + ".xz", "rt") as file:
            self.assertEqual(json.loads(file.read())["system"], "ours")

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "needs python3-matplotlib")
    def test_a_page_of_each_folder(self):
        """Of its experiments, of which not all need to be there."""
        parts = self.load("".join(f"[[part]]\nexperiment = '{name}'\nfolder = 'some'\nfeeds = 'b'\n"
                                  for name in ("quick", "headline")))
        run = experiment.load("quick").runs()[0]
        one = {"experiment": "quick", "key": run.key, "system": run.system, "cell": run.cell, "settings": run.settings,
               "machine": {"id": "one"}, "versions": {"vnchl": "1"}, "started": "2026-01-02T03:04:05Z",
               "result": {"ok": True, "sightings": {"fps": 29.0, "duration_s": 8}}}
        os.makedirs(os.path.join(self.folder.path, "some"))
        with open(parts[0].file(self.folder.path), "w", encoding="utf-8") as file:
            file.write(json.dumps(one) + "\n")
        target = os.path.join(self.folder.path, "target")
        written = list(campaign.publish(parts, parts, self.folder.path, target))
        self.assertEqual([os.path.relpath(path, target) for path in written], ["some/quick.jsonl", "some/index.html"])
        with open(written[1], encoding="utf-8") as file:
            self.assertIn("Far and slow", file.read())
        os.remove(written[1])
        self.assertEqual(list(campaign.publish(parts[1:], parts, self.folder.path, target)), written[1:])

    def test_how_long_it_takes(self):
        """By the runs, and how many are made at a time."""
        one, three = (self.load(f"[[part]]\nexperiment = 'quick'\nfolder = 'a'\nfeeds = 'b'\njobs = {n}\n")[0]
                      for n in (1, 3))
        took = sum(runner.seconds(r.settings) for r in experiment.load("quick").runs()) / 60
        self.assertAlmostEqual(one.minutes, took)
        self.assertAlmostEqual(three.minutes, took / 3)


if __name__ == "__main__":
    unittest.main()
