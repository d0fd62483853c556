"""How good the pictures are that a viewer showed: in the report, and beside every frame rate."""
import importlib.util
import re
import unittest

from test_report import Case, record
import report_metrics as metrics
import views_text

PICTURE = {"compared": 40, "exact": 0, "psnr_db": {"p5": 28.04, "p50": 31.26},
           "ssim": {"p5": 0.8, "p50": 0.9127}}
MATRIX = {"kind": "matrix", "rows": ["link.rtt_ms"], "values": ["fps", "psnr_db", "ssim", "quality"]}


@unittest.skipUnless(importlib.util.find_spec("matplotlib"), "needs python3-matplotlib")
class Pictures(Case):
    """How good the pictures are, beside how many there are."""

    def rows(self, *records):
        """{figure: [cells of its row]} of a matrix of these records."""
        import views
        (sample,) = self.group(records)
        (page,) = views.draw(MATRIX, sample, None)
        rows = re.findall(r'<td class="left soft">(.*?)</td>(.*?)</tr>', page)
        return {name: re.findall(r"<td.*?</td>", row) for name, row in rows}

    def test_figures_of_one_run(self):
        run = record(picture=PICTURE, viewer_report={"quality": 4})
        (sample,) = self.group([run])
        median = lambda name: metrics.Figure(sample.cells, name).median
        self.assertEqual([median(n) for n in ("psnr_db", "psnr_p5", "ssim", "ssim_p5", "quality")],
                         [31.26, 28.04, 0.9127, 0.8, 4])

    def test_no_level_where_no_jpeg_was_asked_for(self):
        quality = metrics.metric("quality").of
        result = {"viewer_report": {"quality": 8}}
        self.assertEqual(quality(result, {"viewer_options": ["--compress", "2"]}), 8)
        self.assertIsNone(quality(result, {"viewer_options": ["--encodings", "hextile,raw"]}))
        self.assertIsNone(quality({"viewer_report": None}, {}))

    def test_the_level_of_older_records_is_the_last_one(self):
        old = record(viewer_report={"quality": 8})
        new = record(viewer_report={"quality": 8}, quality=5.25)
        pushed = record(viewer_report={"quality": None}, quality=None)
        raw = record(viewer_report={"quality": 8})
        raw["settings"]["viewer_options"] = ["--encodings", "raw"]
        told = [(metrics.metric("quality").of(r["result"], r["settings"]),
                 metrics.tells_last_level(r["result"], r["settings"])) for r in (old, new, pushed, raw)]
        self.assertEqual(told, [(8, True), (5.25, False), (None, False), (None, False)])

    def test_a_record_without_them_has_dashes(self):
        rows = self.rows(record(), record(system="VNC-HL 50 ms", picture=PICTURE))
        self.assertIn(">31.3<", rows["PSNR p50, dB"][0])
        self.assertIn(">-<", rows["PSNR p50, dB"][1])
        self.assertIn(">-<", rows["SSIM p50"][1])
        self.assertIn(">-<", rows["JPEG level"][1])
        self.assertNotIn(">-<", "".join(rows["fps"]))

    def test_what_was_not_run_is_blank(self):
        rows = self.rows(record(picture=PICTURE), record(rtt=0, system="VNC-HL 50 ms"))
        self.assertIn("<td class=\"group\"></td>", rows["fps"])
        self.assertIn("<td class=\"group\"></td>", rows["PSNR p50, dB"])

    def test_no_picture_was_compared(self):
        none = {"compared": 0, "exact": 0, "psnr_db": None, "ssim": None}
        self.assertIn(">-<", self.rows(record(picture=none))["PSNR p50, dB"][0])

    def test_a_low_level_is_not_the_best(self):
        rows = self.rows(record(viewer_report={"quality": 0}, picture=PICTURE),
                         record(system="VNC-HL 50 ms", viewer_report={"quality": 8},
                                picture={**PICTURE, "psnr_db": {"p5": 30, "p50": 39}}))
        self.assertNotIn("best", "".join(rows["JPEG level"]))
        self.assertIn("best", rows["PSNR p50, dB"][0])  # 39 dB
        self.assertNotIn("best", rows["PSNR p50, dB"][1])

    def test_beside_the_rate_in_the_headline(self):
        (sample,) = self.group([
            record(picture=PICTURE, viewer_report={"quality": 0}),
            record(system="VNC-HL 50 ms", fps=20.0, viewer_report=None)])
        (said,) = views_text.headlines(sample)
        self.assertIn("with VNC-HL 50 ms against 10.0 with VNC (31.3 dB, JPEG level 0.0)", said)


if __name__ == "__main__":
    unittest.main()
