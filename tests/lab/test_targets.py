"""Targets: figures of what happened when in a run, and whether targets are met."""
import importlib.util
import math
import os
import tempfile
import time
import tomllib
import unittest

import paths
import client_agent
import report_data as data
import report_html as html
import report_metrics as metrics
import report_series as series
import report_targets as targets
import views_text

FPS = 25
GAP = 1000 / FPS


def result(frames, duration_s=20.0, presses=(), **more):
    """A run in which these frames (seen, age, number) and presses (made, waited) were seen."""
    seen, ages, numbers = (list(c) for c in zip(*frames)) if frames else ([], [], [])
    made, waited = (list(c) for c in zip(*presses)) if presses else ([], [])
    return {"ok": True, **more, "sightings": {
        "duration_s": duration_s, "seen_ms": seen, "ages_ms": ages, "numbers": numbers,
        "pressed_ms": made, "responses_ms": waited}}


def film(begin_ms, end_ms, number, age=60.0, every=1):
    """Frames drawn from one moment to another, of which every so many-th is seen."""
    count = int((end_ms - begin_ms) / GAP)
    return [(begin_ms + i * GAP + age, age, number + i) for i in range(count) if i % every == 0]


class Starts(unittest.TestCase):
    """From idle to the full rate."""

    settings = {"content": {"fps": FPS}}

    def start(self, frames, **more):
        """start_ms of a run with these frames."""
        return series.start_ms(result(frames, **more), self.settings)

    def before(self):
        """A second of motion that ends long before 5000 ms."""
        return film(0, 1000, 0)

    def test_at_once(self):
        """The first frame drawn is seen, and all after it: only its age counts."""
        self.assertAlmostEqual(self.start(self.before() + film(5000, 9000, FPS)), 60)

    def test_the_first_frames_are_not_seen(self):
        """The clock runs from when they were drawn."""
        late = film(5000, 9000, FPS)[10:]
        self.assertAlmostEqual(self.start(self.before() + late), 60 + 10 * GAP)

    def test_it_takes_time_to_get_going(self):
        """Some frames are seen first, but not at the full rate."""
        slow = film(5000, 6000, FPS, every=3)
        fast = film(6000, 9000, 2 * FPS)
        found = self.start(self.before() + slow + fast)
        self.assertGreater(found, 500)
        self.assertLessEqual(found, 1060)

    def test_never(self):
        """Half the frames are not the full rate."""
        self.assertEqual(self.start(self.before() + film(5000, 9000, FPS, every=2)), math.inf)

    def test_the_median_of_all(self):
        """Three starts in a run."""
        frames, number = self.before(), FPS
        for begin, age in ((5000, 60.0), (9000, 300.0), (13000, 90.0)):
            frames += film(begin, begin + 2500, number, age)
            number = frames[-1][2] + 1
        self.assertAlmostEqual(self.start(frames), 90)

    def test_not_known(self):
        """No rest; one that was not watched to its end; a start cut off by the end of the run."""
        self.assertIsNone(self.start(film(0, 9000, 0)))
        self.assertIsNone(self.start(film(5000, 9000, FPS)))
        self.assertIsNone(self.start(self.before() + film(5000, 6000, FPS), duration_s=6.0))

    def test_few_frames_are_no_rest(self):
        """A viewer that sees a frame in two seconds, of a film that never stops."""
        self.assertIsNone(self.start(film(0, 18000, 0, every=2 * FPS)))


class Drop(unittest.TestCase):
    """The link changes, and figures come back."""

    steady = {"fps": 20, "age_p95": 200, "response_p95": 300}
    settings = {"link": {"options": ["--seed", "3", "--at", "9s:rate=5mbit"]}}

    def back(self, frames, presses=(), settings=None, begin_s=4.0, steady=None):
        """back_s of a run whose link changes 5 s after its measured part began."""
        return series.back_s(result(frames, presses=presses, begin_s=begin_s),
                             settings or self.settings, steady or self.steady)

    def run_of(self, slow_until, age=150.0):
        """Frames that are few and old from 5000 ms on until a moment."""
        slow = film(5000, slow_until, 200, age=1500.0, every=5)
        return film(0, 5000, 0) + slow + film(slow_until, 19000, 1000, age)

    def test_when_it_changes(self):
        """The first of the link's changes, in all units."""
        for options, expected in ((["--at", "9s:rate=5mbit"], 9), (["--at", "500ms:loss=1%"], 0.5),
                                  (["--at", "1min:rate=0", "--at", "2.5s:rate=1mbit"], 2.5),
                                  (["--jitter", "9s"], None), ([], None)):
            self.assertEqual(series.change_s({"link": {"options": options}}), expected)

    def test_steady_at_once(self):
        """A link that is as good as before."""
        self.assertEqual(self.back(film(0, 19000, 0)), 0)

    def test_back(self):
        """Not before frames are as many and as young as they should be."""
        early, late = (self.back(self.run_of(until)) for until in (7000, 9000))
        # seen 150 ms after the recovery, and found on a grid; a quarter of a second may be old
        self.assertAlmostEqual(early, 2.0, delta=0.4)
        self.assertAlmostEqual(late - early, 2.0)

    def test_a_slow_answer(self):
        """A press that was slow keeps a second from being steady."""
        frames = self.run_of(7000)
        calm = self.back(frames, presses=[(7700.0, 300.0)])
        self.assertGreater(self.back(frames, presses=[(7700.0, 301.0)]), calm)

    def test_never(self):
        """Too few, or too old, to the end."""
        self.assertEqual(self.back(self.run_of(7000, age=201.0)), math.inf)
        self.assertEqual(self.back(film(0, 5000, 0) + film(5000, 19000, 200, every=2)), math.inf)

    def test_not_known(self):
        """The change came before or after the measured part, or there is nothing to compare with."""
        frames = film(0, 19000, 0)
        self.assertIsNone(self.back(frames, begin_s=9.5))
        self.assertIsNone(self.back(frames, begin_s=None))
        self.assertIsNone(self.back(frames, settings={"link": {"options": ["--at", "60s:rate=0"]}}))
        self.assertIsNone(self.back(frames, steady={**self.steady, "fps": None}))

    def test_lists_that_do_not_fit(self):
        """A record of something else."""
        broken = result(film(0, 9000, 0))
        broken["sightings"]["ages_ms"].pop()
        self.assertEqual(series.frames(broken), [])
        broken["sightings"].update(seen_ms="x", ages_ms=None, numbers=[None])
        self.assertEqual(series.frames(broken), [])


class Sums(unittest.TestCase):
    """Figures of a whole run."""

    def test_exact(self):
        """The median over the rests, those that never became exact among them."""
        exact = metrics.metric("exact_ms").of
        self.assertIsNone(exact({}, {}))
        self.assertIsNone(exact({"still": {"exact_ms": [], "never": 0}}, {}))
        self.assertEqual(exact({"still": {"exact_ms": [700, 900, 800], "never": 0}}, {}), 800)
        self.assertEqual(exact({"still": {"exact_ms": [700], "never": 2}}, {}), math.inf)

    HEAD = "time_s,requests_first,requests_reactive,requests_timer,requests_input,updates,quality\n"

    def of_log(self, rows, begin, end):
        """What the lab takes from a log whose last row, of 4 s, was written just now."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "viewer.csv")
            with open(path, "w", encoding="utf-8") as file:
                file.write(self.HEAD + rows)
            start = time.monotonic() - 4
            os.utime(path, times=(0, time.time()))
            return client_agent.figures_of_log(folder, start + begin, start + end)

    def test_requests_per_update(self):
        """Of the measured part, all causes but new pictures and refreshes."""
        per_update = metrics.metric("requests_per_update").of
        counted = self.of_log("1,1,9,90,9,30,8\n2,1,1,35,2,30,8\n3,0,0,37,0,30,8\n4,0,9,90,9,30,8\n", 1.2, 3.2)
        self.assertEqual(per_update(counted, {}), 1.25)
        self.assertIsNone(per_update({}, {}))

    def test_the_level_is_the_mean_over_the_measured_time(self):
        """Each row's counts for the time of the row that was measured; blocks have no level."""
        row = "{},0,0,0,0,1,{}\n"
        levels = lambda *of: "".join(row.format(at, level) for at, level in zip((1, 2, 3, 4), of))
        for of, expected in (((9, 8, 4, 0), 5.2), ((-1, -1, 4, 0), 3.33)):
            self.assertAlmostEqual(self.of_log(levels(*of), 1.2, 3.2)["quality"], expected, delta=0.05)
        self.assertIsNone(self.of_log(levels(-1, -1, -1, -1), 1.2, 3.2)["quality"])

    def test_no_log(self):
        """Other viewers write none; one without a row says nothing."""
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(client_agent.figures_of_log(folder, 0, 9), {})
        self.assertEqual(self.of_log("", 0, 9), {})


def cell(system, rtt, repeats=1, **sightings):
    """A cell of a link of 100 Mbit/s with this RTT, measured or failed."""
    made = data.Cell({"server": "tigervnc", "link": {"rtt_ms": rtt, "rate_mbit": 100}}, system,
                     {"link.rtt_ms": rtt})
    for _ in range(repeats):
        made.add({"ok": True, "sightings": sightings} if sightings else {"ok": False, "error": "<no>"})
    return made


def figures(fps, p50, p95):
    """A run's sightings."""
    return {"fps": fps, "response_ms": {"p50": p50, "p95": p95}}


class Targets(unittest.TestCase):
    """What is met, and by how much the rest is missed."""

    view = {"kind": "targets", "of": "ours", "against": "theirs", "rows": ["server", "link.rtt_ms"],
            "targets": [{"fps": {"at_least": 29}, "response_p50": {"at_most": 25, "rtts": 1}}]}

    def lines(self, cells, **view):
        """{figure's label: line} of the only link."""
        (_, lines), = targets.rows({**self.view, **view}, cells)
        return {line.metric.label: line for line in lines}

    def test_met_and_missed(self):
        """The limit grows with the round trip."""
        lines = self.lines([cell("ours", 300, **figures(28, 320, 400)),
                            cell("theirs", 300, **figures(30, 310, 390))])
        self.assertEqual(lines["frames per second"].miss, 1)
        response = lines["response, median"]
        self.assertEqual((response.bound, response.miss, response.behind), (325, 0, None))

    def test_compared_with_the_other(self):
        """What is as good as equal is no worse; without a target as well."""
        for fps, p95, behind in ((30, 400, (0, 0)), (29.5, 410, (0, 0)), (28, 500, (2, 100))):
            lines = self.lines([cell("ours", 300, **figures(fps, 320, p95)),
                                cell("theirs", 300, **figures(30, 310, 400))])
            found = lines["frames per second"], lines["response, 95 %"]
            self.assertEqual(tuple(line.behind for line in found), behind)
            self.assertIsNone(found[1].bound)

    def test_how_good_the_pictures_are_is_told(self):
        """Without a verdict, and also of runs that do not know it."""
        lines = self.lines([cell("ours", 300, **figures(30, 320, 400)),
                            cell("theirs", 300, **figures(30, 310, 390))])
        for name in metrics.PICTURE:
            line = lines[metrics.metric(name).label]
            self.assertEqual((line.bound, line.miss, line.behind), (None, None, None))
            self.assertTrue(line.ours.lacking and line.theirs.lacking)

    def test_a_run_that_failed_misses(self):
        """Everything, by more than anything."""
        line = self.lines([cell("ours", 300), cell("theirs", 300, **figures(1, 2, 3))])
        self.assertEqual((line["frames per second"].miss, line["frames per second"].behind),
                         (math.inf, math.inf))

    def test_what_was_not_run_is_not_known(self):
        """Neither met nor missed."""
        line = self.lines([cell("theirs", 300, **figures(1, 2, 3))])["frames per second"]
        self.assertEqual((line.miss, line.behind), (None, None))
        self.assertEqual(targets.rows(self.view, []), [])
        self.assertEqual(targets.sentence(self.view, []), "")

    def test_as_on_another_link(self):
        """What the better of both reaches there is the target."""
        wanted = [{"where": {"link.rtt_ms": 300}, "fps": {"as_at": {"link.rtt_ms": 0}}}]
        cells = [cell("ours", 300, **figures(20, 1, 1)), cell("ours", 0, **figures(22, 1, 1)),
                 cell("theirs", 0, **figures(25, 1, 1))]
        line = self.lines(cells, targets=wanted)["frames per second"]
        self.assertEqual((line.bound, line.miss), (25, 5))
        line = self.lines(cells[:1], targets=wanted)["frames per second"]
        self.assertEqual((line.bound, line.miss), (None, None))

    def test_steady_figures_of_the_same_system(self):
        """Those of the other one do not count."""
        def run(system, case, options, found):
            made = data.Cell({"server": "x", "link": {"options": options}}, system, {"case": case})
            made.add(found)
            return made

        def still(fps):
            found = result([])
            found["sightings"].update(fps=fps, age_ms={"p95": 200}, response_ms={"p95": 300})
            return found

        cells = [run("ours", "slow", [], still(10)), run("theirs", "slow", [], still(100))]
        cells += [run(system, "drop", Drop.settings["link"]["options"],
                      result(film(0, 19000, 0), begin_s=4.0)) for system in ("ours", "theirs")]
        lines = self.lines(cells, rows=["server"], targets=[
            {"where": {"case": "drop"}, "back_s": {"at_most": 2, "steady": {"case": "slow"}}}])
        line = lines["steady again after"]
        self.assertEqual((line.ours.median, line.theirs.median, line.miss), (0, math.inf, 0))

    def test_margins_of_figures_are_told(self):
        """What full rate and steady mean stands below the table that uses the words."""
        self.assertIn("85 % of the frames of 500 ms", metrics.explain(["start_ms"]))
        self.assertIn("90 % of the frames", metrics.explain(["back_s"]))

    def test_a_target_without_a_limit(self):
        """It is named; the page is made nevertheless."""
        with self.assertRaisesRegex(data.ReportError, "the target fps needs one of"):
            self.lines([cell("ours", 300, **figures(28, 320, 400))], targets=[{"fps": {"rtts": 1}}])

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "needs python3-matplotlib")
    def test_the_table_and_the_sentence(self):
        """Words for all of this, and nothing of others' words as HTML."""
        import views
        experiment = data.Experiment("x", {"views": [self.view]})
        experiment.cells = [cell("ours", 300, **figures(28, 320, 400)), cell("ours", 500),
                            cell("theirs", 300, **figures(30, 310, 400))]
        page = "".join(views.draw(self.view, experiment, None))
        for words in ("TigerVNC server, RTT 300 ms", "missed by 1.0 fps", "≤ 325", ">met<",
                      "Up to 3 % from theirs count as equal there"):
            self.assertIn(words, page)
        self.assertNotIn("<no>", page)
        self.assertEqual(views_text.headlines(experiment),
                         ["1 of 4 targets met; ours no worse than theirs in 1 of 2 figures (up to 3 % count as equal)."])
        self.assertIn("missed</td>", html.verdict(math.inf, metrics.metric("fps")))
        self.assertEqual(metrics.show(math.inf, 1), "never")


class Shipped(unittest.TestCase):
    """The experiment files that are shipped."""

    def test_their_targets_can_be_computed(self):
        """Every figure is known, every system is one of the file's, every target has a limit."""
        folder = os.path.join(paths.LAB, "experiments")
        found = 0
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name), "rb") as file:
                spec = tomllib.load(file)
            for view in spec["views"]:
                if view["kind"] != "targets":
                    continue
                found += 1
                labels = [s["label"] for s in spec["systems"]]
                self.assertLessEqual({view["of"], view["against"]}, set(labels), name)
                for entry in view["targets"]:
                    for figure in entry.keys() - {"where"}:
                        self.assertIn(figure, metrics.METRICS, name)
                        limits = entry[figure].keys() & {"at_least", "at_most", "as_at"}
                        self.assertEqual(len(limits), 1, f"{name}: {figure}")
        self.assertGreater(found, 0)


if __name__ == "__main__":
    unittest.main()
