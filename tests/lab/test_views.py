"""What the report can show beside rates and responses: what a link adds; and packed records."""
import importlib.util
import lzma
import os
import unittest

from test_report import Case, record
import report_data as data


@unittest.skipUnless(importlib.util.find_spec("matplotlib"), "needs python3-matplotlib")
class Differences(Case):
    """Of one link to another."""

    def test_what_a_link_adds(self):
        """In ms, and in the round trips that it is longer."""
        import views
        view = {"kind": "difference", "rows": "content.scene", "value": "age_p50",
                "of": {"link.rtt_ms": 100}, "over": {"link.rtt_ms": 0}}
        (sample,) = self.group([record(), record(rtt=0), record(system="VNC-HL 50 ms"),
                                record(system="X", rtt=0), record(system="X", ok=False, error="no picture")])
        (page,) = views.draw(view, sample, None)
        self.assertIn("+50</td><td>0.5 RTT", page)
        self.assertEqual(page.count("RTT</td>"), 1)  # the second has no near link
        self.assertIn("<b>failed</b> no picture", page)
        self.assertIn("no figures yet", views.draw({**view, "of": {"link.rtt_ms": 7}}, sample, None)[0])


class Packed(Case):
    """Records of which there are many."""

    def test_a_packed_file(self):
        """Is read as others are; a broken one is named."""
        path = self.write([record(), record(repeat=2)])
        with open(path, "rb") as file:
            packed = lzma.compress(file.read())
        os.remove(path)
        with open(path + ".xz", "wb") as file:
            file.write(packed)
        self.assertEqual(len(data.read_records(self.results)), 2)
        with open(path + ".xz", "wb") as file:
            file.write(packed[:50])
        self.assertIn("sample.jsonl.xz: is no whole file", self.refused())


if __name__ == "__main__":
    unittest.main()
