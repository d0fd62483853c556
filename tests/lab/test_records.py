"""Records: what is skipped, what is tried again, and whose file it is."""
import json
import os
import subprocess
import threading
import types
import unittest
from unittest import mock

import paths
import experiment
import lab
import records
import runner
import settings

HERE = {"id": "here", "cpu": "a", "kernel": "6"}
THERE = {"id": "there", "cpu": "b", "kernel": "5"}


def record(key, good=True, machine=HERE):
    """The least that is a record."""
    return {"key": key, "machine": machine, "versions": {"vnchl": "v1"}, "result": {"ok": good}}


class Files(unittest.TestCase):
    """One file of records."""

    def setUp(self):
        self.folder = paths.Folder(self)
        self.path = os.path.join(self.folder.path, "x.jsonl")

    def store(self, machine=HERE, **options):
        """The records of the experiment x."""
        store = records.Store(self.folder.path, "x", machine, **options)
        self.addCleanup(store.close)
        return store

    def test_done_is_done_and_failed_is_tried_once_more(self):
        """Also after it was opened again."""
        store = self.store()
        store.add(record("good"))
        store.add(record("bad", False))
        self.assertEqual([store.wants(k) for k in ("good", "bad", "new")], [False, True, True])
        store.add(record("bad", False))
        store.close()
        store = self.store()
        self.assertEqual([store.wants(k) for k in ("good", "bad", "new")], [False, False, True])
        self.assertTrue(store.wants("bad", retry=True))
        store.add(record("bad"))
        self.assertFalse(store.wants("bad", retry=True))

    def test_a_line_that_was_cut_off_is_dropped(self):
        """As after a power failure."""
        store = self.store()
        store.add(record("one"))
        store.close()
        with open(self.path, "a", encoding="utf-8") as file:
            file.write('{"key": "tw')
        store = self.store()
        self.assertTrue(store.wants("tw"))
        store.add(record("three"))
        with open(self.path, encoding="utf-8") as file:
            self.assertEqual([json.loads(line)["key"] for line in file], ["one", "three"])

    def test_a_line_that_is_no_record_is_told(self):
        """With its number."""
        self.folder.write("x.jsonl", json.dumps(record("one")) + "\n[]\n")
        with self.assertRaisesRegex(records.RecordsError, "line 2 is not a record"):
            self.store()

    def test_another_machine(self):
        """Refused, unless a new file is wanted."""
        store = self.store()
        store.add(record("one"))
        store.close()
        with self.assertRaisesRegex(records.RecordsError, "another machine .*--new-machine"):
            self.store(THERE)
        store = self.store(THERE, new_machine=True)
        self.assertTrue(store.wants("one"))
        self.assertTrue(os.path.exists(self.path + ".here"))

    def test_two_at_once(self):
        """The second is refused."""
        self.store()
        with self.assertRaisesRegex(records.RecordsError, "another lab"):
            self.store()

    def test_a_folder_that_cannot_be(self):
        """One line."""
        self.folder.write("file", "")
        with self.assertRaisesRegex(records.RecordsError, "cannot write"):
            records.Store(os.path.join(self.folder.path, "file"), "x", HERE)

    def test_a_program_adds_all_of_its_runs_or_none(self):
        """Behind those that are there."""
        def add(*systems):
            records.of_program(self.path, "x", "true", [(system, {}, {"time, ms": 1}, 1767323045) for system in systems])

        def systems():
            return [r["system"] for r in records.read(self.path)[0]]

        add("a", "b")
        with mock.patch.object(os, "replace", side_effect=KeyboardInterrupt), self.assertRaises(KeyboardInterrupt):
            add("c", "d")
        self.assertEqual(systems(), ["a", "b"])
        add("c", "d")
        self.assertEqual(systems(), ["a", "b", "c", "d"])
        self.assertEqual(os.listdir(self.folder.path), ["x.jsonl"])

    def test_a_program_may_write_into_a_pipe(self):
        """Which stays one."""
        pipe = os.path.join(self.folder.path, "pipe")
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        records.of_program(pipe, "x", "true", [("a", {}, {"time, ms": 1}, 1767323045)])
        self.assertEqual(json.loads(os.read(reader, 1 << 16))["system"], "a")
        self.assertEqual(os.listdir(self.folder.path), ["pipe"])


class Resume(unittest.TestCase):
    """The order of runs, and what is left of them, without making any."""

    class Fake:
        """Makes no run; fails where it is told to."""
        version, machine, link_failed = "v1", HERE, None
        tools = {name: "/bin/true" for name in runner.TOOLS}

        def __init__(self, bad=(), jobs=1):
            self.bad, self.jobs, self.made = bad, jobs, []
            self.stopping = threading.Event()

        def during(self):
            """What takes time in a run."""

        def record(self, run):
            """A record without a run."""
            self.made.append((run.settings["repeat"], run.system))
            self.during()
            good = run.system not in self.bad
            result = {"ok": True, "sightings": {"fps": 1, "still_ms": 9, "responses_lost": 1, "presses": 4}} if good else {"ok": False, "error": "why"}
            return {**record(run.key), "result": result, "took_s": 1}

    def test_resume(self):
        """What succeeded is not made again, what failed once more, then no more."""
        folder = paths.Folder(self)
        text = '[defaults]\nrepeats = 2\n[[systems]]\nlabel = "a"\n[[systems]]\nlabel = "b"\nprp = 9\n'
        loaded = experiment.load(folder.write("x.toml", paths.HEAD + text))

        def go(bad=(), runs=None):
            fake, store = self.Fake(bad), records.Store(folder.path, "x", HERE)
            runner.run_experiment(fake, loaded, store, runs or loaded.runs())
            store.close()
            return fake.made

        self.assertEqual(go(runs=loaded.runs()[:1]), [(1, "a")])  # as if interrupted
        self.assertEqual(go(bad=("b",)), [(1, "b"), (2, "a"), (2, "b")])
        self.assertEqual(go(bad=("b",)), [(1, "b"), (2, "b")])
        self.assertEqual(go(), [])

    def test_what_is_left(self):
        """It is told as long as it failed, also where it is not tried any more."""
        folder = paths.Folder(self)
        text = '[[systems]]\nlabel = "a"\n[[systems]]\nlabel = "b"\nprp = 9\n'
        loaded = experiment.load(folder.write("x.toml", paths.HEAD + text))
        options = types.SimpleNamespace(out=folder.path, new_machine=False, retry=False)

        def left(bad=()):
            return lab._run_one(self.Fake(bad), loaded, loaded.runs(), options)

        self.assertEqual([left(("b",)) for _ in range(records.MOST_TRIES + 1)], [1] * (records.MOST_TRIES + 1))
        options.retry = True
        self.assertEqual(left(), 0)


class Lanes(unittest.TestCase):
    """Several runs at a time, without making any."""

    LIMIT = 120  # s, for a lane to wait for the others: only a mistake takes so long

    def setUp(self):
        self.folder = paths.Folder(self)
        text = "[defaults]\nrepeats = 6\n[[systems]]\nprp = 9\n"
        self.loaded = experiment.load(self.folder.write("x.toml", paths.HEAD + text))
        self.fake = Resume.Fake(jobs=3)

    def go(self):
        """Makes the runs; the keys in the file."""
        store = records.Store(self.folder.path, "x", HERE)
        try:
            runner.run_experiment(self.fake, self.loaded, store, self.loaded.runs())
        finally:
            store.close()
            self.written = [r["key"] for r in records.read(store.path)[0]]

    def test_that_many_at_a_time(self):
        """No run ends before three are under way; each is made once, and recorded."""
        barrier = threading.Barrier(self.fake.jobs, timeout=self.LIMIT)
        self.fake.during = barrier.wait
        self.go()
        self.assertEqual(sorted(repeat for repeat, _ in self.fake.made), [1, 2, 3, 4, 5, 6])
        self.assertEqual(sorted(self.written), sorted(r.key for r in self.loaded.runs()))

    def test_one_that_cannot_be_ends_the_others(self):
        """They wait to be told to stop, and none begins after that."""
        make = self.fake.record

        def record_one(run):
            if run.settings["repeat"] == 1:
                self.fake.link_failed = "no link"
            elif not self.fake.stopping.wait(self.LIMIT):
                self.fail("was not told to stop")
            return make(run)

        self.fake.record = record_one
        with self.assertRaisesRegex(runner.LabFailed, "no link"):
            self.go()
        self.assertLessEqual(len(self.fake.made), 3)
        self.assertEqual(self.written, [self.loaded.runs()[0].key])


class Estimate(unittest.TestCase):
    """What is said before a run."""

    def test_earlier_visits_take_time(self):
        """Each a start, and some seconds."""
        run = settings.defaults()
        run["link"]["rtt_ms"] = 300
        alone = runner.seconds(run)
        run["visits"] = 2
        self.assertAlmostEqual(runner.seconds(run) - alone, 2 * (runner.VISIT_S + 1.5 + 8 * 0.3))

    def test_a_picture_takes_time(self):
        """Over a link that is as slow as packet radio."""
        run = settings.defaults()
        fast = runner.seconds(run)
        run["link"]["rate_mbit"] = 0.02
        self.assertAlmostEqual(runner.seconds(run) - fast, 50)


class Doubt(unittest.TestCase):
    """Which figures are doubtful."""

    def test_busy_machine(self):
        """Others' load always; a busy machine when it may be the other lanes'."""
        over, below = records.LANES_BUSY + 0.01, records.LANES_BUSY - 0.01

        def doubts(other, busy, jobs):
            return records.doubts({}, {"machine_other": other, "machine_busy": busy, "jobs": jobs})

        self.assertEqual(doubts(0, over, 1), [])
        self.assertEqual(doubts(0, over, None), [])  # an older record
        self.assertEqual(doubts(records.OTHERS_BUSY, below, 3), [])
        self.assertIn("with 3 runs at a time", doubts(0, over, 3)[0])
        self.assertIn("other processes", doubts(records.OTHERS_BUSY + 0.01, 0.5, 1)[0])

    def test_a_window_that_was_not_granted(self):
        """With what was asked for and what there was."""
        def doubts(window, granted):
            return records.doubts({"window": window}, {"viewer_report": {"window_bytes": granted}})

        self.assertEqual(doubts("32m", 4194304),
                         ["the viewer asked for a window of 33554432 bytes, the kernel granted 4194304: "
                          "net.core.rmem_max was too small"])
        self.assertEqual(doubts("32m", 32 << 20), [])
        self.assertEqual(doubts("170k", 170 << 10), [])
        self.assertEqual(doubts("auto", 0), [])
        self.assertEqual(doubts(None, 0), [])
        self.assertEqual(records.doubts({"window": "32m"}, {"viewer_report": None}), [])

    def test_packets_that_cannot_be_told_apart(self):
        """Where more than a tenth of the operations did not begin at rest; and where there is no table."""
        def doubts(**packets):
            return records.doubts({}, {"packets": packets})

        self.assertEqual(doubts(operations=9, unanswered=1, not_resting=1), [])
        self.assertEqual(doubts(operations=9, unanswered=1, not_resting=2),
                         ["the server did not rest before 2 of 10 operations, whose packets cannot be told "
                          "from those before"])
        self.assertEqual(doubts(error="why"), ["its packets are not known: why"])
        self.assertEqual(doubts(), [])
        self.assertEqual(records.doubts({}, {"packets": None}), [])


class Versions(unittest.TestCase):
    """What was measured is named by its commit."""

    def git(self, root, *words):
        """What git says in this folder."""
        return subprocess.run(["git", "-C", root, "-c", "user.name=a", "-c", "user.email=a@b.c", *words], check=True,
                              capture_output=True, text=True).stdout.strip()

    def test_also_where_it_has_a_tag(self):
        root = paths.Folder(self).path
        self.git(root, "init", "-q")
        self.git(root, "commit", "-q", "--allow-empty", "-m", "one")
        self.git(root, "tag", "-a", "v1", "-m", "one")
        self.assertEqual(records.own_version(root, "true"), self.git(root, "rev-parse", "--short", "HEAD"))
        with open(os.path.join(root, "new"), "w", encoding="ascii") as file:
            file.write("more")
        self.git(root, "add", "new")
        self.assertTrue(records.own_version(root, "true").endswith("-dirty"))

    def test_of_a_program_that_was_built_elsewhere(self):
        root, other = paths.Folder(self).path, paths.Folder(self).path
        for folder, message in ((root, "one"), (other, "two")):
            self.git(folder, "init", "-q")
            self.git(folder, "commit", "-q", "--allow-empty", "-m", message)
        info = os.path.join(other, "build", "meson-info")
        os.makedirs(info)
        program = os.path.join(other, "build", "viewer", "vnchl")
        one, two = (self.git(folder, "rev-parse", "--short", "HEAD") for folder in (root, other))
        self.assertEqual(records.own_version(root, program), one)
        with open(os.path.join(info, "meson-info.json"), "w", encoding="ascii") as file:
            json.dump({"directories": {"source": other}}, file)
        self.assertEqual(records.own_version(root, program), two)


if __name__ == "__main__":
    unittest.main()
