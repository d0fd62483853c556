"""The report: records in, figures and a page out. Needs matplotlib for the page itself only."""

import contextlib
import importlib.util
import io
import json
import os
import re
import sys
import tempfile
import tomllib
import unittest

LAB = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "lab")
sys.path.insert(0, LAB)

import experiment  # noqa: E402
import report  # noqa: E402
import report_data as data  # noqa: E402
import report_html as html  # noqa: E402
import report_metrics as metrics  # noqa: E402
import views_text  # noqa: E402

HOSTILE = "<script>alert('1')</script>\" onload=\"x\x1b[31m & $\\frac$"


def record(experiment="sample", system="VNC", rtt=100, fps=10.0, repeat=1, **result):
    settings = {
        "server": "tigervnc", "viewer": "vnchl", "prp": "off" if system == "VNC" else 50,
        "content": {"scene": "video", "fps": 24}, "press_every_ms": 500, "repeat": repeat,
        "link": {"rtt_ms": rtt, "rate_mbit": 8, "loss_percent": 0}, "seed": repeat,
    }
    good = {
        "ok": True, "sampled_s": 5.0, "cpu_viewer_s": 0.5, "cpu_server_s": 1.0, "bytes_down": 5_000_000,
        "bytes_up": 50_000, "machine_other": 0.01,
        "sightings": {
            "duration_s": 5.0, "frames": int(5 * fps), "fps": fps,
            "age_ms": {"p50": rtt / 2 + 20}, "gap_ms": {"p50": 1000 / fps},
            "seen_ms": [0.0, 90.0, 200.0, 300.0],
            "responses_ms": [rtt + 10.0, rtt + 30.0], "presses": 3, "responses": 2,
            "responses_lost": 1, "response_ms": {"p50": rtt + 10, "p95": rtt + 30, "mean": rtt + 20},
        },
        "viewer_report": {"duration_s": 10.0, "requests": {"timer": 70}},
    }
    return {
        "experiment": experiment, "key": f"{system}{rtt}-{repeat}", "system": system,
        "cell": {"link.rtt_ms": rtt}, "settings": settings, "machine": {"id": "one", "cpu": "A CPU"},
        "versions": {"vnchl": "1"}, "started": "2026-01-02T03:04:05Z", "took_s": 9,
        "result": {**good, **result} if result.get("ok", True) else result,
    }


SPEC = """
title = "A sample"
paper = "A paper"
what = "What is asked?"
[[systems]]
label = "VNC-HL 50 ms"
prp = 50
[[systems]]
label = "VNC"
prp = "off"
[[views]]
kind = "headline"
value = "fps"
at = { "link.rtt_ms" = 100 }
of = { system = "VNC-HL 50 ms" }
over = { system = "VNC" }
paper = [14, 2]
[[views]]
kind = "table"
rows = "link.rtt_ms"
values = ["fps", "cpu_percent"]
[views.paper]
columns = ["VNC-HL 50 ms", "VNC"]
[views.paper.rows]
0 = [[16, 5.8], [10.8, 4.2]]
100 = [[14, 5], [2, 0.0]]
[[views]]
kind = "curve"
x = "link.rtt_ms"
y = "fps"
[[views]]
kind = "contour"
x = "link.rtt_ms"
y = "prp"
value = "fps"
[[views]]
kind = "cdf"
panel = "link.rtt_ms"
minus_rtt = true
[[views]]
kind = "bars"
groups = "link.rtt_ms"
y = "fps"
[[views]]
kind = "matrix"
rows = ["link.rtt_ms"]
values = ["fps", "response_p50"]
"""


class Case(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.results = os.path.join(self.scratch.name, "results")
        self.specs = os.path.join(self.scratch.name, "specs")
        os.mkdir(self.results)
        os.mkdir(self.specs)
        before = report.EXPERIMENTS
        report.EXPERIMENTS = self.specs
        self.addCleanup(setattr, report, "EXPERIMENTS", before)
        self.spec("sample", SPEC)

    def spec(self, name, text):
        with open(os.path.join(self.specs, name + ".toml"), "w", encoding="utf-8") as file:
            file.write(text)

    def write(self, records, name="sample"):
        path = os.path.join(self.results, name + ".jsonl")
        with open(path, "w", encoding="utf-8") as file:
            for r in records:
                file.write((r if isinstance(r, str) else json.dumps(r)) + "\n")
        return path

    def group(self, records):
        self.write(records)
        return data.group(data.read_records(self.results), self.specs)

    def refused(self, *arguments):
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors), contextlib.redirect_stdout(io.StringIO()):
            status = report.main([self.results, *arguments])
        self.assertEqual(status, 1)
        self.assertEqual(errors.getvalue().count("\n"), 1, errors.getvalue())
        return errors.getvalue()


class Figures(Case):
    def test_median_and_spread_over_repeats(self):
        (sample,) = self.group([record(fps=f, repeat=i) for i, f in enumerate((10, 14, 11))])
        self.assertEqual(len(sample.cells), 1)
        figure = metrics.Figure(sample.cells, "fps")
        self.assertEqual((figure.median, figure.low, figure.high, figure.runs), (11, 10, 14, 3))
        self.assertAlmostEqual(figure.deviation, 2.0817, 4)
        self.assertIn("10.0 – 14.0, ± 2.1<", html.own(figure, 1))

    def test_values_that_are_no_numbers_do_not_count(self):
        self.assertEqual(data.median([None, 3, None, 5]), 4)
        self.assertIsNone(data.median([None]))
        for bad in ("12", True, None, float("nan"), float("inf"), []):
            self.assertIsNone(data.number(bad))

    def test_figures_of_one_run(self):
        result, settings = record()["result"], record()["settings"]
        expected = {
            "cpu_percent": 10, "recv_mb_s": 1, "sent_kb_s": 10, "prps": 7, "response_delay": 20,
            "beyond_p50": 10, "beyond_p95": 30, "measured_fps": 10,
            "update_ms": 100, "median_fps": 10, "update_sd_ms": 10, "operation_ms": 120,
            "kb_per_frame": 100, "lost_percent": 100 / 3, "longest_gap_ms": 4700,
            "server_cpu_percent": 20,
        }
        for name, value in expected.items():
            self.assertAlmostEqual(metrics.METRICS[name].of(result, settings), value, msg=name)

    def test_parts_of_a_response(self):
        """What vnchl does not know is blank; the display has what is left of what the eye saw."""
        mean = {"count": 3, "total_ms": 108, "input_ms": None, "path_ms": 100.5, "decoder_ms": 1.5}
        run = record(viewer_report={"response_mean": mean})
        found = [metrics.METRICS[n].of(run["result"], run["settings"]) for n in (
            "response_mean", "part_input_ms", "part_path_ms", "part_decoder_ms", "part_screen_ms")]
        self.assertEqual(found, [120, None, 100.5, 1.5, 12])
        self.assertIsNone(metrics.METRICS["part_screen_ms"].of(record()["result"], {}))

    def test_costs_of_a_frame(self):
        """The server's with the accelerator's, where there is one beside it."""
        run = record(cpu_server_s=1.0)["result"]
        cost = lambda name: metrics.METRICS[name].of(run, {})
        self.assertAlmostEqual(cost("cpu_viewer_per_frame"), 10)
        self.assertAlmostEqual(cost("cpu_server_per_frame"), 20)
        run["cpu_accel_s"] = 0.5
        run["cpu_accel_near_s"] = 0.5
        self.assertAlmostEqual(cost("cpu_server_per_frame"), 30)
        run["cpu_server_s"] = None
        self.assertIsNone(cost("cpu_server_per_frame"))

    def test_the_first_picture_in_round_trips(self):
        trips = metrics.METRICS["first_picture_trips"].of
        self.assertEqual(trips({"first_picture_s": 0.5}, {"link": {"rtt_ms": 100}}), 5)
        self.assertIsNone(trips({"first_picture_s": 0.5}, {"link": {"rtt_ms": 0}}))
        self.assertIsNone(trips({"first_picture_s": None}, {"link": {"rtt_ms": 100}}))

    def test_the_share_beside_other_flows(self):
        one = record(bytes_beside=1448 * 2500)  # 3,750,000 bytes with headers
        share = metrics.METRICS["share_percent"].of
        self.assertAlmostEqual(share(one["result"], one["settings"]), 25)
        self.assertIsNone(share(record()["result"], one["settings"]))
        over = record(bytes_beside=6_000_000)  # it was looked at a moment later
        self.assertEqual(share(over["result"], over["settings"]), 0)

    def test_the_loss_that_occurred(self):
        lost = metrics.METRICS["link_loss_percent"].of
        down = {"packets_in": 5000, "dropped_loss": 110, "dropped_full": 300}
        self.assertAlmostEqual(lost({"linkem": {"down": down}}, {}), 2.2)
        self.assertEqual(lost({"linkem": {"down": {**down, "dropped_loss": 0}}}, {}), 0)
        self.assertIsNone(lost({"linkem": None}, {}))

    def test_figures_by_packets(self):
        result = record(packets={
            "operations": 19, "unanswered": 1, "not_resting": 5, "bytes_down": 12500, "bytes_up": 250,
            "latency_ms": {"p50": 80, "p95": 95, "mean": 82, "max": 99}, "marks_ms": {"p50": 84},
            "over_marks": 0.952, "total": {"bytes_down": 300_000, "time_s": 9.5},
        })["result"]
        expected = {
            "packet_latency_p50": 80, "packet_latency_p95": 95, "packet_latency_mean": 82,
            "packet_marks_p50": 84, "packets_over_marks": 0.952, "packet_kb": 12.5, "packet_up_kb": 0.25,
            "packet_not_resting": 25, "packet_total_kb": 300, "packet_time_s": 9.5,
        }
        for name, value in expected.items():
            self.assertAlmostEqual(metrics.METRICS[name].of(result, {}), value, msg=name)
        self.assertEqual(set(expected), {n for n in metrics.METRICS if n.startswith("packet")})
        result["packets"] = {"error": "why"}
        for name in expected:
            self.assertIsNone(metrics.METRICS[name].of(result, {}), name)

    def test_efficiency_is_of_pixels_in_all_that_came(self):
        share = metrics.METRICS["pixels_percent"].of
        encoded = {"duration_s": 10.0, "encoding_bytes": {"raw": 900_000, "copyrect": 30_000}}
        result = record(bytes_down_total=1_000_000, viewer_report=encoded)["result"]
        self.assertAlmostEqual(share(result, {}), 93)
        self.assertIsNone(share(record(bytes_down_total=1_000_000)["result"], {}))
        self.assertIsNone(share(record(viewer_report=encoded)["result"], {}))

    def test_halves_of_older_versions(self):
        one = record()
        partial = metrics.METRICS["partial_fps"].of
        for told, expected in ((23.5, 23.5), (798.5, None)):
            one["result"]["sightings"]["partial_fps"] = told
            self.assertEqual(partial(one["result"], one["settings"]), expected)

    def test_figures_of_an_empty_result_are_blank(self):
        for name, metric in metrics.METRICS.items():
            self.assertIsNone(metric.of({"ok": True}, {}), name)
            self.assertIsNone(metric.of({"ok": True, "sightings": None, "viewer_report": 3}, {}), name)

    def test_ratio_to_the_paper(self):
        self.assertEqual(data.ratio(7, 14), 0.5)
        self.assertIsNone(data.ratio(7, 0))
        self.assertIsNone(data.ratio(None, 14))

    def test_best_of_a_row_allows_for_ties(self):
        self.assertTrue(data.is_best(29.5, [30, 29.5, 20], True))
        self.assertFalse(data.is_best(20, [30, 29.5, 20], True))
        self.assertTrue(data.is_best(100, [100, 300, None], False))
        self.assertFalse(data.is_best(None, [100, 300, None], False))
        self.assertFalse(data.is_best(10, [10], True))
        self.assertFalse(data.is_best(29.5, [30, 29.5, 20], True, tie=0))
        self.assertTrue(data.is_best(100, [100, 100], False, tie=0))
        self.assertFalse(data.is_best(float("inf"), [float("inf")] * 2, False))
        self.assertTrue(data.is_best(-4, [-4, -3], False))  # an answer beyond a round trip may come sooner

    def test_never_a_false_zero(self):
        self.assertEqual(metrics.show(0.004, 1), "0.004")
        self.assertEqual(metrics.show(0, 1), "0.0")
        self.assertEqual(metrics.show(None, 1), "")


class Grouping(Case):
    def test_by_experiment_cell_and_system(self):
        records = [record(rtt=r, system=s, repeat=i) for r in (0, 100) for s in ("VNC", "VNC-HL 50 ms")
                   for i in (1, 2)]
        (sample,) = self.group(records)
        self.assertEqual((len(sample.cells), sample.ok()), (4, 8))
        self.assertEqual(len(sample.select({"system": "VNC"})), 2)
        self.assertEqual(len(sample.select({"link.rtt_ms": 0.0})), 2)
        self.assertEqual(len(sample.select({"prp": "50", "link.rtt_ms": [100, 7]})), 1)
        self.assertEqual(sample.systems_in(sample.cells), ["VNC-HL 50 ms", "VNC"])  # the file's order

    def test_a_later_record_of_the_same_run_replaces_the_first(self):
        (sample,) = self.group([record(ok=False, error="no"), record(fps=12)])
        self.assertEqual((sample.ok(), sample.failed(), sample.superseded), (1, 0, 1))

    def test_a_setting_that_came_later_makes_no_other_cell_at_its_default(self):
        def run(repeat, **link):
            later = record(repeat=repeat)
            later["settings"].update(through="direct", accel_options=[], security="none", visits=0)
            later["settings"]["link"].update({"client_rmem": "", "sack": True, "packets": False, **link})
            return later

        (sample,) = self.group([record(), run(2), run(3, sack=False)])
        self.assertEqual([len(c.results) for c in sample.cells], [2, 1])
        bare = record()
        del bare["settings"]["link"]
        self.assertEqual(len(self.group([bare])[0].cells), 1)

    def test_a_system_without_label_is_found_by_its_settings(self):
        r = record(system="VNC-HL 50 ms")
        del r["system"]
        self.assertEqual(self.group([r])[0].cells[0].system, "VNC-HL 50 ms")

    def test_an_axis_may_name_what_is_no_setting(self):
        r = record()
        r["cell"]["case"] = "slow motion"
        self.assertEqual(len(self.group([r])[0].select({"case": "slow motion"})), 1)

    def test_foreign_load_is_counted(self):
        (sample,) = self.group([record(machine_other=0.16), record(rtt=0, machine_other=0.14)])
        self.assertEqual([c.doubtful for c in sample.cells], [1, 0])

    def test_operations_that_did_not_rest_are_counted(self):
        mixed = record(packets={"operations": 4, "unanswered": 0, "not_resting": 3})
        (sample,) = self.group([mixed, record(rtt=0)])
        self.assertEqual([c.doubtful for c in sample.cells], [1, 0])
        self.assertIn("did not rest before 3 of 4 operations", report.doubted(sample)[0])

    def test_operations_that_did_not_rest_make_only_their_own_figures_doubtful(self):
        (sample,) = self.group([record(packets={"operations": 4, "unanswered": 0, "not_resting": 3}),
                                record(rtt=0, machine_other=0.16)])
        mixed, disturbed = sample.cells
        for name, found in (("packet_latency_p50", [True, True]), ("packet_kb", [True, True]),
                            ("packet_total_kb", [False, True]), ("fps", [False, True])):
            self.assertEqual([metrics.Figure([cell], name).doubtful for cell in (mixed, disturbed)], found, name)

    def test_a_window_that_was_not_granted_is_counted(self):
        small = record(viewer_report={"window_bytes": 4 << 20})
        small["settings"]["window"] = "32m"
        (sample,) = self.group([small, record(rtt=0)])
        self.assertEqual([c.doubtful for c in sample.cells], [1, 0])
        (listed,) = report.doubted(sample)
        self.assertIn("1 doubtful runs", listed)
        self.assertIn("the kernel granted 4194304", listed)

    def test_a_busy_machine_is_counted_where_runs_were_made_at_a_time(self):
        (sample,) = self.group([record(machine_busy=0.9), record(rtt=0, machine_busy=0.9, jobs=3)])
        self.assertEqual([c.doubtful for c in sample.cells], [0, 1])


class Refusals(Case):
    def test_records_of_different_machines(self):
        other = record(rtt=0)
        other["machine"] = {"id": "two"}
        self.write([record(), other])
        said = self.refused()
        self.assertIn("2 different machines", said)
        self.assertIn("sample.jsonl:2", said)
        self.assertFalse(os.path.exists(os.path.join(self.results, "report", "index.html")))

    def test_a_broken_line(self):
        self.write([record(), '{"experiment": "sam'])
        self.assertRegex(self.refused(), r"sample\.jsonl:2: broken JSON")

    def test_lines_that_are_no_records(self):
        for line in ("[1]", "7", '{"experiment": 3}', '{"experiment": "x", "settings": {}}'):
            self.write([line])
            self.assertIn("sample.jsonl:1", self.refused())

    def test_a_file_that_is_no_text(self):
        with open(os.path.join(self.results, "a.jsonl"), "wb") as file:
            file.write(b"\xff\xfe\x00")
        self.assertIn("a.jsonl", self.refused())

    def test_no_folder_and_no_records(self):
        self.assertIn("no *.jsonl", self.refused())
        self.results = os.path.join(self.scratch.name, "nowhere")
        self.assertIn("no such folder", self.refused())

    def test_a_broken_experiment_file(self):
        self.spec("sample", "title = ")
        self.write([record()])
        self.assertIn("sample.toml", self.refused())


class Sentences(Case):
    def test_are_computed_from_the_records(self):
        (sample,) = self.group([record(fps=2.0), record(system="VNC-HL 50 ms", fps=14.0)])
        (said,) = views_text.headlines(sample)
        self.assertIn("14.0 frames per second", said)
        self.assertIn("against 2.0", said)
        self.assertIn("7 times as much; in the paper 14 against 2", said)

    def test_may_tell_the_difference_instead_of_the_ratio(self):
        self.spec("sample", SPEC.replace("paper = [14, 2]", "difference = true"))
        (sample,) = self.group([record(fps=2.0), record(system="VNC-HL 50 ms", fps=14.0)])
        self.assertIn("12.0 fps more.", views_text.headlines(sample)[0])

    def test_count_where_a_system_is_best(self):
        self.spec("sample", '''[[views]]
kind = "headline"
wins = "VNC-HL 50 ms"
rows = ["link.rtt_ms"]
values = ["fps"]''')
        slow, fast = "VNC", "VNC-HL 50 ms"
        (sample,) = self.group([
            record(rtt=0, system=slow, fps=20.0), record(rtt=0, system=fast, fps=19.9),
            record(rtt=100, system=slow, fps=20.0), record(rtt=100, system=fast, fps=9.0),
            record(rtt=300, system=fast, fps=9.0),
        ])
        (said,) = views_text.headlines(sample)
        self.assertIn("is the best (in brackets: or within 3 % of it): ", said)
        self.assertIn(", on 0 (1) of 2 links", said)

    def test_nothing_is_called_the_same_that_is_not(self):
        (sample,) = self.group([record(fps=10.0), record(system="VNC-HL 50 ms", fps=10.4)])
        self.assertIn("against 10.0 with VNC, 1.04 times as much;", views_text.headlines(sample)[0])
        (sample,) = self.group([record(fps=10.0), record(system="VNC-HL 50 ms", fps=10.0)])
        self.assertIn("against 10.0 with VNC, the same;", views_text.headlines(sample)[0])
        for times in (1.004, 0.997):
            self.assertEqual(views_text._compared(times, 1.0), ", the same within 0.5 %")
        self.assertEqual(views_text._compared(0.99, 1.0), ", 1.01 times less")

    def test_say_so_when_runs_are_missing(self):
        self.assertIn("Not enough runs", views_text.headlines(self.group([record()])[0])[0])
        failed = self.group([record(ok=False, error="x")])[0]
        self.assertIn("No run succeeded", views_text.headlines(failed)[0])


class Escaping(Case):
    def test_hostile_text(self):
        text = html.esc(HOSTILE)
        for forbidden in ("<", ">", '"', "'", "\x1b"):
            self.assertNotIn(forbidden, text)
        self.assertLess(len(html.esc("x" * 100000)), 3000)

    def test_a_failed_figure(self):
        (sample,) = self.group([record(ok=False, error=HOSTILE)])
        cell = html.failed(metrics.Figure(sample.cells, "fps"))
        self.assertNotIn("<script", cell)
        self.assertIn("&lt;script&gt;", cell)


@unittest.skipUnless(importlib.util.find_spec("matplotlib"), "needs python3-matplotlib")
class Page(Case):
    def page(self, records, **files):
        self.write(records)
        for name, more in files.items():
            self.write(more, name)
        out = os.path.join(self.scratch.name, "out")
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(report.main([self.results, "--out", out]), 0)
        with open(os.path.join(out, "index.html"), encoding="utf-8") as file:
            return file.read(), sorted(os.listdir(out))

    def test_a_machine_for_each_experiment(self):
        """Which the page tells; records of one stay together."""
        other = record(experiment="other")
        other["machine"] = {"id": "two", "cpu": "Another CPU"}
        text, _ = self.page([record(), other])
        self.assertIn("A CPU; Another CPU", text)
        self.assertIn("run on 2 machines, each experiment on one", text)
        self.assertNotIn("machines, each experiment on one", self.page([record()])[0])

    def test_records_of_the_older_frame_rate(self):
        old, new = record(), record(system="VNC-HL 50 ms", rtt=200)
        new["result"]["sightings"].update(still_ms=1234.5, partial_fps=12.5)
        self.assertTrue(metrics.counts_between_frames(old["result"]))
        self.assertFalse(metrics.counts_between_frames(new["result"]))
        self.assertFalse(metrics.counts_between_frames({"ok": False}))
        self.assertEqual(metrics.METRICS["longest_gap_ms"].of(new["result"], {}), 1234.5)
        self.assertEqual(metrics.METRICS["partial_fps"].of(new["result"], {}), 12.5)
        self.assertIsNone(metrics.METRICS["partial_fps"].of(old["result"], {}))
        page, _ = self.page([old, new])
        self.assertIn("In 1 of 2 records, of older versions", page)
        page, _ = self.page([new])
        self.assertNotIn("of older versions", page)

    def test_records_of_the_older_level(self):
        old = record(viewer_report={"quality": 8})
        old["result"]["sightings"]["still_ms"] = 1234.5
        page, _ = self.page([old, record(rtt=200, viewer_report={"quality": 8}, quality=5.0)])
        self.assertIn("In 1 of 2 records, of older versions, the JPEG level", page)

    def test_how_many_runs_at_a_time(self):
        text, _ = self.page([record(machine_busy=0.2), record(rtt=0, machine_busy=0.4, jobs=3)])
        self.assertIn("1 or 3; the machine was 30 % busy (median)", text)
        text, _ = self.page([record(jobs="\x1b[2J")])
        self.assertRegex(text, r"Runs at a time</dt>\s*<dd[^>]*>1</dd>")

    def test_a_small_set(self):
        records = [
            record(rtt=r, system=s, fps=f, repeat=i)
            for r in (0, 100) for i in (1, 2) for s, f in (("VNC", 2.0), ("VNC-HL 50 ms", 14.0))
        ]
        page, files = self.page(records)
        self.assertEqual(len([f for f in files if f.endswith(".png")]), 4)
        self.assertEqual(page.count("data:image/svg+xml;base64,"), 4)
        self.assertIn("7 times as much", page)
        self.assertIn('<td class="ratio">1.00</td>', page)
        self.assertNotIn("cannot be drawn", page)
        self.assertNotIn("no figures yet", page)
        self.assertFalse(re.search(r'(src|href)="(?!data:|#)', page), "needs something from outside")

    def test_what_belongs_to_a_frame_rate_is_within_reach(self):
        """Below the views of every chapter that has one, whatever its views name."""
        run = record(picture={"psnr_db": {"p50": 31.26, "p5": 28.04}}, quality=5.25)
        failed = record(system="VNC-HL 50 ms", ok=False, error="timed out")
        page, _ = self.page([run, failed])
        self.assertIn("Longest gaps, unanswered presses and the pictures' quality stand below".replace("'", "&#x27;"),
                      page)
        table = page.partition("<summary>Beside each frame rate")[2].partition("</details>")[0]
        for words in ("RTT 100 ms", ">VNC<", "longest gap, ms", "4700", "not answered, %", ">33<", "PSNR p5, dB",
                      ">28.0<", "JPEG level", ">5.2<", "timed out"):
            self.assertIn(words, table)
        self.assertNotIn("fps with halves", table)  # none of the runs has it

    def test_a_chapter_without_a_frame_rate_has_no_such_table(self):
        self.spec("sample", SPEC.partition("[[views]]")[0] + '[[views]]\nkind = "table"\nrows = "link.rtt_ms"\n'
                  'values = ["response_p50"]\n')
        page, _ = self.page([record()])
        self.assertNotIn("Beside each frame rate", page)

    def test_hostile_words_everywhere(self):
        bad = record(ok=False, error=HOSTILE)
        good = record(system=HOSTILE, rtt=0)
        good["versions"] = {HOSTILE: HOSTILE}
        good["machine"]["cpu"] = HOSTILE
        good["settings"]["server"] = HOSTILE
        page, _ = self.page([bad, good])
        self.assertNotIn("<script", page)
        self.assertNotIn('" onload', page)
        self.assertNotIn("\x1b", page)

    def test_missing_and_failed_runs_leave_gaps(self):
        page, _ = self.page([record(rtt=0), record(system="VNC-HL 50 ms", ok=False, error="timed out")])
        self.assertIn("timed out", page)
        page, _ = self.page([record(ok=False, error="timed out")])
        self.assertIn("No run succeeded", page)

    def test_results_without_figures(self):
        page, _ = self.page([record(sightings=None, viewer_report=None)])
        self.assertIn("no figures yet", page)

    def test_an_experiment_whose_file_is_gone(self):
        page, _ = self.page([record()], gone=[record(experiment="../gone")])
        self.assertIn("general layout", page)

    def test_a_view_that_cannot_be_drawn_is_named(self):
        self.spec("sample", SPEC + '[[views]]\nkind = "pie"\n[[views]]\nkind = "curve"\ny = "speed"\n')
        page, _ = self.page([record()])
        self.assertIn("unknown kind", page)
        self.assertIn("needs the key", page)


class Shipped(unittest.TestCase):
    """The experiment files that are shipped, as far as the report reads them."""

    def setUp(self):
        self.specs = {}
        for file in sorted(os.listdir(report.EXPERIMENTS)):
            if file.endswith(".toml"):
                with open(os.path.join(report.EXPERIMENTS, file), "rb") as stream:
                    self.specs[file] = tomllib.load(stream)

    def test_there_are_some(self):
        self.assertIn("quick.toml", self.specs)

    def test_figures_of_views_are_known(self):
        for file, spec in self.specs.items():
            for view in spec["views"]:
                names = view.get("values", []) + [view[k] for k in ("y", "value") if k in view]
                if view["kind"] == "contour":
                    names.remove(view["y"])
                for name in names:
                    self.assertIn(name, metrics.METRICS, file)

    def test_views_name_systems_that_there_are(self):
        """Or columns that only the paper has."""
        for file, spec in self.specs.items():
            labels = {s.label for s, _ in experiment.load(file.removesuffix(".toml")).systems}
            for view in spec["views"]:
                named = []
                for where in (view.get(k) for k in ("where", "at", "of", "over")):
                    system = where.get("system", []) if isinstance(where, dict) else []
                    named += system if isinstance(system, list) else [system]
                if view["kind"] == "table" and "columns" not in view:
                    named += set(view.get("order", [])) - set(view.get("paper", {}).get("columns", []))
                self.assertLessEqual(set(named), labels, file)

    def test_paper_tables_have_an_entry_for_each_column(self):
        for file, spec in self.specs.items():
            for view in spec["views"]:
                if view["kind"] != "table" or "paper" not in view:
                    continue
                values = view["paper"].get("values", view["values"])
                for row, entries in view["paper"]["rows"].items():
                    self.assertEqual(len(entries), len(view["paper"]["columns"]), f"{file} {row}")
                    for entry in entries:
                        entry = entry if isinstance(entry, list) else [entry]
                        self.assertEqual(len(entry), len(values), f"{file} {row}")


if __name__ == "__main__":
    unittest.main()
