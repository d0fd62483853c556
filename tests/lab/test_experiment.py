"""Experiment files: how they expand into runs, and what is said about mistakes."""
import unittest

import paths
import experiment


class Expansion(unittest.TestCase):
    """The matrix."""

    def setUp(self):
        self.folder = paths.Folder(self)

    def load(self, text):
        """An experiment of this text."""
        return experiment.load(self.folder.write("test.toml", paths.HEAD + text))

    def test_runs_are_repeats_times_cells_times_systems(self):
        """Repeats outermost, the compared systems innermost."""
        e = self.load("""
            [defaults]
            repeats = 2
            [[axes]]
            name = "link.rtt_ms"
            values = [0, 300]
            quick = [300]
            [[systems]]
            label = "off"
            prp = "off"
            [[systems]]
            label = "auto"
            """)
        got = [(r.settings["repeat"], r.cell["link.rtt_ms"], r.system) for r in e.runs()]
        self.assertEqual(got, [(i, rtt, s) for i in (1, 2) for rtt in (0, 300) for s in ("off", "auto")])
        self.assertEqual(len({r.key for r in e.runs()}), 8)
        self.assertEqual([r.cell["link.rtt_ms"] for r in e.runs(quick=True, repeats=1)], [300, 300])
        self.assertEqual(e.runs()[2].settings["link"]["rtt_ms"], 300)
        self.assertEqual([r.settings["seed"] for r in e.runs()], [1] * 4 + [2] * 4)

    def test_the_key_is_of_the_settings_alone(self):
        """A label may change, and quick is only what it sets."""
        text = '[[systems]]\nlabel = "%s"\nprp = 20\n[quick]\n%s\n'
        key = self.load(text % ("one", "")).runs()[0].key
        self.assertEqual(self.load(text % ("two", "")).runs(quick=True)[0].key, key)
        self.assertNotEqual(self.load(text % ("one", "duration_s = 4")).runs(quick=True)[0].key, key)

    def test_a_setting_that_came_later_counts_when_it_is_set(self):
        """Runs that were made before it are not made again."""
        text = '[[systems]]\nlabel = "one"\n%s\n'
        before = self.load(text % "").runs()[0]
        for name in ("sack", "client_rmem", "packets"):
            del before.settings["link"][name]
        del before.settings["through"], before.settings["visits"]
        keys = {self.load(text % set_).runs()[0].key
                for set_ in ('through = "direct"', "link.sack = true", 'link.client_rmem = ""',
                             "link.packets = false", "visits = 0")}
        self.assertEqual(keys, {experiment.Run("e", "s", {}, before.settings).key})
        for set_ in ('through = "accel-near"', "link.sack = false", 'link.client_rmem = "32m"',
                     "link.packets = true", "visits = 1"):
            self.assertNotIn(self.load(text % set_).runs()[0].key, keys)

    def test_lists_expand_into_systems(self):
        """Only vnchl's viewers have a PRP."""
        e = self.load("""
            [[systems]]
            label = "{viewer} on {server} over {link.rate_mbit}, {prp}"
            viewer = ["vnchl", "tigervnc"]
            server = ["tigervnc", "x11vnc"]
            prp = [10, "auto"]
            """)
        runs = e.runs()
        e = [(r.system, r.settings["prp"]) for r in runs]
        self.assertEqual(len(e), 6)
        self.assertIn(("tigervnc on x11vnc over 0, None", None), e)
        self.assertIn(10, [prp for _, prp in e])

    def test_later_layers_win(self):
        """Defaults, quick, the cell, the system."""
        e = self.load("""
            [defaults]
            duration_s = 20
            content.fps = 5
            [quick]
            duration_s = 4
            [[axes]]
            name = "case"
            values = [{ label = "slow", content.fps = 1, duration_s = 30 }, { label = "full" }]
            quick = ["full"]
            [[axes]]
            name = "link"
            values = [{ rtt_ms = 300, rate_mbit = 100 }]
            [[systems]]
            link.rtt_ms = 7
            """)
        slow, full = e.runs()
        self.assertEqual((slow.settings["content"]["fps"], slow.settings["duration_s"]), (1, 30))
        self.assertEqual((full.settings["content"]["fps"], full.settings["duration_s"]), (5, 20))
        self.assertEqual(full.settings["link"]["rtt_ms"], 7)
        self.assertEqual(full.settings["link"]["rate_mbit"], 100)
        quick, = e.runs(quick=True)
        self.assertEqual((quick.cell["case"], quick.settings["duration_s"]), ("full", 4))

    def test_what_is_particular_to_some_cells(self):
        """Of links, cases and systems: later ones win, the system over all; --quick does not know them."""
        text = """
            [defaults]
            repeats = 2
            [quick]
            duration_s = 4
            [[axes]]
            name = "link.loss_percent"
            values = [0, 20, 30]
            [[systems]]
            label = "ours"
            [[systems]]
            label = "theirs"
            viewer = "tigervnc"
            warm_up_s = 1
            [[cells]]
            where = { "link.loss_percent" = [20, 30] }
            duration_s = 60
            warm_up_s = 7
            repeats = 3
            [[cells]]
            where = { "link.loss_percent" = 30, system = "theirs" }
            repeats = 0
            """
        e = self.load(text)
        got = {(r.cell["link.loss_percent"], r.system): (r.settings["duration_s"], r.settings["warm_up_s"],
                                                         r.settings["repeat"]) for r in e.runs()}
        self.assertEqual(got, {(0, "ours"): (10, 3, 2), (0, "theirs"): (10, 1, 2), (20, "ours"): (60, 7, 3),
                               (20, "theirs"): (60, 1, 3), (30, "ours"): (60, 7, 3)})
        self.assertEqual([r.settings["repeat"] for r in e.runs()], sorted(r.settings["repeat"] for r in e.runs()))
        self.assertEqual(len(e.runs(repeats=1)), 5)
        quick = e.runs(quick=True)
        self.assertEqual({(r.settings["duration_s"], r.settings["warm_up_s"]) for r in quick}, {(4, 3), (4, 1)})
        self.assertEqual(len(quick), 12)

    def test_only(self):
        """--only means a setting, a system or a case."""
        run, = self.load('[[systems]]\nlabel = "a b"\nprp = 50\n').runs()
        for key, value, expected in (("prp", "50", True), ("system", "a b", True), ("prp", "5", False),
                                     ("content.scene", "video", True), ("nonsense", "1", False)):
            self.assertEqual(run.matches(key, value), expected, key)

    def test_all_that_is_here(self):
        """The experiments of the lab itself."""
        for name in experiment.names():
            loaded = experiment.load(name)
            self.assertTrue(loaded.runs(), name)
            self.assertTrue(loaded.runs(quick=True), name)
            plain = experiment.Experiment(**{**loaded.__dict__, "cells": []}).runs(repeats=1)
            for where, _ in loaded.cells:
                self.assertTrue([r for r in plain if all(
                    any(r.matches(key, experiment.shown(v)) for v in (value if isinstance(value, list) else [value]))
                    for key, value in where.items())], f"{name}: {where}")


class Mistakes(unittest.TestCase):
    """One line each: the file, the key, what is expected."""

    SYSTEM = '[[systems]]\nprp = "off"\n'
    TABLE = (
        ("nonsense = 1\n" + SYSTEM, "nonsense: ", "expected title"),
        ("[[axes]]\nname = 1\n", "systems: is missing"),
        ('systems = "a"\n', "systems: 'a' is not a list of tables"),
        ("[defaults]\nrtt = 3\n" + SYSTEM, "defaults.rtt: ", "no setting of this name"),
        ("[defaults]\nrtt_ms = 3\n" + SYSTEM, "defaults.rtt_ms: ", "did you mean link.rtt_ms?"),
        ("[defaults]\nlink = 3\n" + SYSTEM, "defaults.link: 3 is not a table"),
        ('[defaults]\nduration_s = "9"\n' + SYSTEM, "defaults.duration_s: '9' is not a number from 0.5"),
        ("[defaults]\nduration_s = true\n" + SYSTEM, "defaults.duration_s: True is not a number"),
        ("[defaults]\nduration_s = nan\n" + SYSTEM, "defaults.duration_s: nan is not a number"),
        ("[defaults]\nrepeats = 0\n" + SYSTEM, "defaults.repeats: 0 is not a whole number from 1"),
        ('[defaults]\ngeometry = "4000x100"\n' + SYSTEM, "defaults.geometry: ", "at most 1200x900"),
        ('[defaults.link]\nserver_wmem = "64 MB"\n' + SYSTEM, "defaults.link.server_wmem: ", '"170k"'),
        ('[defaults.link]\nclient_rmem = 32\n' + SYSTEM, "defaults.link.client_rmem: 32 is not", '"170k"'),
        ("[defaults.link]\nsack = 1\n" + SYSTEM, "defaults.link.sack: 1 is not true or false"),
        ("[defaults.link]\nrate_mbit = 1e-4\n" + SYSTEM, "defaults.link.rate_mbit: 0.0001 is not 0"),
        ('[quick]\nserver = "vino"\n' + SYSTEM, "quick.server: 'vino' is not one of tigervnc, "),
        ('[[axes]]\nname = "rtt_ms"\nvalues = [1]\n' + SYSTEM, "axes[0].name: 'rtt_ms'", "'link.rtt_ms'"),
        ('[[axes]]\nname = "prp"\nvalues = []\n' + SYSTEM, "axes[0].values: [] is not a list of values"),
        ('[[axes]]\nname = "prp"\nvalues = [1, "fast"]\n' + SYSTEM, "axes[0].values[1]: 'fast'", "auto"),
        ('[[axes]]\nname = "prp"\nvalues = [1, 1]\n' + SYSTEM, "axes[0].values[1]: 1 stands there twice"),
        ('[[axes]]\nname = "prp"\nvalues = [1]\nquick = [2]\n' + SYSTEM, "axes[0].quick[0]: '2'"),
        ('[[axes]]\nname = "prp"\nvalues = [1]\nslow = [2]\n' + SYSTEM, "axes[0].slow: "),
        ('[[axes]]\nname = "case"\nvalues = [{ prp = 3 }]\n' + SYSTEM, "axes[0].values[0]: ", "label"),
        ('[[axes]]\nname = "prp"\nvalues = [1]\n' * 2 + SYSTEM, "axes[1].name: prp is an axis already"),
        (SYSTEM * 2, "systems[1]: ", "the same settings"),
        ('[[systems]]\nlabel = "{vewer}"\n', "systems[0].label: ", "{vewer}"),
        ('[[systems]]\nviewer = ["vnchl", "vino"]\n', "systems[0].viewer[1]: 'vino' is not one of vnchl"),
        ('[[systems]]\nviewer = "tigervnc"\nprp = 5\n', "systems[0].prp: tigervnc has no such setting"),
        ('[[systems]]\nviewer = "tigervnc"\npush = "on"\n', "systems[0].push: tigervnc has no such"),
        ('[[systems]]\nvisits = -1\n', "systems[0].visits: -1 is not a whole number from 0 to 9"),
        ('[[systems]]\npush = true\n', "systems[0].push: True is not one of auto, on, off"),
        ('[[systems]]\nthrough = "near"\n', "systems[0].through: 'near' is not one of direct, accel, accel-near"),
        ('[[systems]]\nviewer_options = "-x"\n', "systems[0].viewer_options: ", "list of strings"),
        ("[defaults.link]\npackets = 1\n" + SYSTEM, "defaults.link.packets: 1 is not true or false"),
        ("[[cells]]\nrepeats = 3\n" + SYSTEM, "cells[0].where: says which"),
        ("[[cells]]\nwhere = { rtt_ms = 3 }\nrepeats = 3\n" + SYSTEM, "cells[0].where.rtt_ms: is neither"),
        ("[[cells]]\nwhere = { prp = 3 }\nrepeats = -1\n" + SYSTEM, "cells[0].repeats: -1 is not", "from 0"),
        ("[[views]]\nx = 1\n" + SYSTEM, "views[0].kind: is missing"),
        ("[[axes]\n", "line 3"),
    )

    def test_each(self):
        """Every mistake names its key."""
        folder = paths.Folder(self)
        for text, *expected in self.TABLE:
            path = folder.write("bad.toml", paths.HEAD + text)
            with self.subTest(text), self.assertRaises(experiment.ExperimentError) as caught:
                experiment.load(path)
            message = str(caught.exception)
            for part in (path, *expected):
                self.assertIn(part, message)
            self.assertNotIn("\n", message)

    def test_no_such_experiment(self):
        """It tells which there are."""
        with self.assertRaises(experiment.ExperimentError) as caught:
            experiment.load("nonsense")
        self.assertIn("known: ", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
