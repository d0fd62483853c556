"""The figures a report can show: each is computed from one run's result and its settings.

`better` is +1 when more is better, -1 when less is, 0 when it depends. All return None when a run
does not have what they need.
"""

import math
import statistics
from collections import namedtuple

import report_data as data
import report_series as series

Metric = namedtuple("Metric", "label unit better digits of")


def _sight(*path):
    def get(result, _settings):
        return data.number(data.setting(result, ".".join(("sightings",) + path)))

    return get


def _rate(key, per):
    """A total of the measured part, per second, in units of `per`. The agents take their samples a
    little before and after the eye's: over `sampled_s`."""

    def get(result, _settings):
        amount, seconds = data.number(result.get(key)), data.number(result.get("sampled_s"))
        seconds = seconds or data.number(data.setting(result, "sightings.duration_s"))
        return amount / per / seconds if amount is not None and seconds else None

    return get


def _pre_requests(result, _settings):
    sent = data.number(data.setting(result, "viewer_report.requests.timer"))
    duration = data.number(data.setting(result, "viewer_report.duration_s"))
    return sent / duration if sent is not None and duration else None


def _requests_per_update(result, _settings):
    return data.ratio(data.number(result.get("requests")), data.number(result.get("updates")))


def _mean_interval(result, _settings):
    fps = data.number(data.setting(result, "sightings.fps"))
    return 1000 / fps if fps else None


def _measured_rate(result, _settings):
    """What `fps` is, also in records that count it otherwise."""
    frames, seconds = (data.number(data.setting(result, f"sightings.{key}")) for key in ("frames", "duration_s"))
    return frames / seconds if frames is not None and seconds else None


def _median_rate(result, _settings):
    gap = data.number(data.setting(result, "sightings.gap_ms.p50"))
    return 1000 / gap if gap else None


def _interval_deviation(result, _settings):
    """Of the times from one frame seen to the next."""
    seen = data.setting(result, "sightings.seen_ms") or []
    gaps = [later - sooner for sooner, later in zip(seen, seen[1:])]
    return statistics.stdev(gaps) if len(gaps) > 1 else None


def _beyond(part):
    """Of a response what is beyond one round trip."""
    def of(result, settings):
        response = data.number(data.setting(result, f"sightings.response_ms.{part}"))
        rtt = data.number(data.setting(settings, "link.rtt_ms"))
        return response - rtt if response is not None and rtt is not None else None

    return of


def _response_delay(result, settings):
    """As Octopus has it: never below 0."""
    beyond = _beyond("mean")(result, settings)
    return None if beyond is None else max(beyond, 0)


def _partial_fps(result, settings):
    """None where more was counted than was drawn: records of older versions count a half at each look while
    the upper part of a picture is half a second ahead of the lower one."""
    rate = data.number(data.setting(result, "sightings.partial_fps"))
    drawn = data.number(data.setting(settings, "content.fps"))
    return None if rate is not None and drawn and rate > 2 * drawn else rate


def _lost_share(result, _settings):
    presses = data.number(data.setting(result, "sightings.presses"))
    lost = data.number(data.setting(result, "sightings.responses_lost"))
    return 100 * lost / presses if presses and lost is not None else None


def _longest_gap(result, _settings):
    """The longest time of the measured part without a new frame, also before the first and after the
    last. Older records do not have it, but all it is made of."""
    told = data.number(data.setting(result, "sightings.still_ms"))
    duration = data.number(data.setting(result, "sightings.duration_s"))
    seen = data.setting(result, "sightings.seen_ms")
    if told is not None or not duration or not isinstance(seen, list):
        return told
    moments = [0, *seen, 1000 * duration]
    return max(later - sooner for sooner, later in zip(moments, moments[1:]))


def _operation(result, settings):
    age = data.number(data.setting(result, "sightings.age_ms.p50"))
    rtt = data.number(data.setting(settings, "link.rtt_ms"))
    return age + rtt / 2 if age is not None and rtt is not None else None


_kilobytes = _rate("bytes_down", 1e3)


# IP bytes of a full TCP segment, with timestamps, for each byte of its payload.
_IP_BYTES = 1500 / 1448


def _share(result, _settings):
    """What the viewer got of all that the link brought, beside other flows."""
    down = data.number(data.setting(result, "bytes_down"))
    beside = data.number(data.setting(result, "bytes_beside"))
    if not down or beside is None:
        return None
    return 100 * max(1 - beside * _IP_BYTES / down, 0)


def _per_frame_shown(result, settings):
    return data.ratio(_kilobytes(result, settings),
                      data.number(data.setting(result, "sightings.fps")))


def _per_frame_drawn(result, settings):
    return data.ratio(_kilobytes(result, settings),
                      data.number(data.setting(settings, "content.fps")))


def _shown_share(result, settings):
    fps = data.number(data.setting(result, "sightings.fps"))
    drawn = data.number(data.setting(settings, "content.fps"))
    return 100 * fps / drawn if fps is not None and drawn else None


def _link_loss(result, _settings):
    """What the link lost of all packets to the viewer, at random or in bursts, in the whole run."""
    lost, came = (data.number(data.setting(result, "linkem.down." + key)) for key in ("dropped_loss", "packets_in"))
    share = data.ratio(lost, came)
    return None if share is None else 100 * share


def _pixels_share(result, _settings):
    """How efficient the way is: of all that came since the viewer's start, as IP packets, the pixels as
    the server had encoded them."""
    encoded = data.setting(result, "viewer_report.encoding_bytes")
    if not isinstance(encoded, dict):
        return None
    share = data.ratio(sum(data.number(size) or 0 for size in encoded.values()),
                       data.number(result.get("bytes_down_total")))
    return None if share is None else 100 * share


def _exact_ms(result, _settings):
    """The median over the rests; infinity where most were over before."""
    still = result.get("still")
    if not still:
        return None
    return data.median(still["exact_ms"] + [math.inf] * still["never"])


def _beside(part):
    """Of what changes beside a film: how long until it was exact; infinity where it never was."""
    def of(result, _settings):
        beside = result.get("beside")
        if not beside:
            return None
        times = sorted(beside["exact_ms"] + [math.inf] * beside["never"])
        return times[min(len(times) - 1, int(part * len(times)))] if times else None
    return of


def _first_picture_trips(result, settings):
    rtt = data.number(data.setting(settings, "link.rtt_ms"))
    return data.ratio(data.number(data.setting(result, "first_picture_s")), rtt and rtt / 1000)


def _cpu_per_frame(part, *others):
    """ms of CPU time for each frame seen, of a program and of those others that took part."""
    rate, *rates = (_rate(f"cpu_{name}_s", 1e-3) for name in (part, *others))

    def of(result, settings):
        spent = rate(result, settings)
        if spent is None:
            return None
        spent += sum(other(result, settings) or 0 for other in rates)
        return data.ratio(spent, data.number(data.setting(result, "sightings.fps")))

    return of


def _part(name):
    return _result(f"viewer_report.response_mean.{name}_ms")


def _part_screen(result, _settings):
    """What the eye sees longer than vnchl counts: drawing into the window, and the X server's part."""
    seen = data.number(data.setting(result, "sightings.response_ms.mean"))
    counted = data.number(data.setting(result, "viewer_report.response_mean.total_ms"))
    return seen - counted if seen is not None and counted is not None else None


def _arrived(share):
    """Since the press, until this share of what it opens is on the screen, in the mean of all openings;
    infinity where that takes longer than was looked."""
    def of(result, _settings):
        arrival = result.get("arrival")
        if not arrival or not arrival["shares"]:
            return None
        return next((i * arrival["step_ms"] for i, s in enumerate(arrival["shares"]) if s >= share), math.inf)
    return of


def _result(path):
    return lambda result, _settings: data.number(data.setting(result, path))


def _kb(path):
    def get(result, _settings):
        amount = data.number(data.setting(result, path))
        return amount / 1e3 if amount is not None else None

    return get


def _not_resting(result, _settings):
    counts = [data.number(data.setting(result, "packets." + key))
              for key in ("operations", "unanswered", "not_resting")]
    return 100 * data.ratio(counts[2], counts[0] + counts[1]) \
        if None not in counts and counts[0] + counts[1] else None


def _quality(result, settings):
    """The mean of the JPEG levels that vnchl asked for; in older records the last one. None where no JPEG
    was asked for at all."""
    if "raw" in ",".join(settings.get("viewer_options") or []).split(","):
        return None
    told = result if "quality" in result else result.get("viewer_report")
    return data.number(data.setting(told, "quality"))


METRICS = {
    "fps": Metric("frames per second", "fps", 1, 1, _sight("fps")),
    "partial_fps": Metric("frames per second, with halves", "fps", 1, 1, _partial_fps),
    "measured_fps": Metric("frames / measured time", "fps", 1, 1, _measured_rate),
    "longest_gap_ms": Metric("longest time without a new frame", "ms", -1, 0, _longest_gap),
    "shown_percent": Metric("frames shown of those drawn", "%", 1, 0, _shown_share),
    "cpu_percent": Metric("CPU of the viewer", "% of a core", -1, 1,
                          _rate("cpu_viewer_s", 0.01)),
    "server_cpu_percent": Metric("CPU of the server", "% of a core", -1, 1,
                                 _rate("cpu_server_s", 0.01)),
    "recv_mb_s": Metric("received", "MB/s", 0, 2, _rate("bytes_down", 1e6)),
    "recv_kb_s": Metric("received", "kB/s", 0, 1, _rate("bytes_down", 1e3)),
    "recv_kbit_s": Metric("received", "kbit/s", 0, 0, _rate("bytes_down", 125)),
    "share_percent": Metric("share of the link, beside other flows", "%", 0, 0, _share),
    "link_loss_percent": Metric("lost on the link, to the viewer", "%", 0, 2, _link_loss),
    "sent_kb_s": Metric("sent", "kB/s", 0, 1, _rate("bytes_up", 1e3)),
    "prps": Metric("pre-requests per second", "/s", 0, 2, _pre_requests),
    "requests_per_update": Metric("requests per update", "", -1, 2, _requests_per_update),
    "update_ms": Metric("time per update, median", "ms", -1, 1, _sight("gap_ms", "p50")),
    "median_fps": Metric("frames per second, median", "fps", 1, 1, _median_rate),
    "update_mean_ms": Metric("time per update, mean", "ms", -1, 1, _mean_interval),
    "update_sd_ms": Metric("time per update, standard deviation", "ms", -1, 1, _interval_deviation),
    "loop_ms": Metric("update in the viewer's loop, median", "ms", -1, 1, _result("updates_ms.p50")),
    "loop_mean_ms": Metric("update in the viewer's loop, mean", "ms", -1, 1, _result("updates_ms.mean")),
    "loop_sd_ms": Metric("update in the viewer's loop, standard deviation", "ms", -1, 1, _result("updates_ms.sd")),
    "response_p50": Metric("response, median", "ms", -1, 0, _sight("response_ms", "p50")),
    "response_p95": Metric("response, 95 %", "ms", -1, 0, _sight("response_ms", "p95")),
    "response_mean": Metric("response, mean", "ms", -1, 1, _sight("response_ms", "mean")),
    "part_input_ms": Metric("input path", "ms", -1, 1, _part("input")),
    "part_server_ms": Metric("server", "ms", -1, 1, _part("server")),
    "part_encoder_ms": Metric("encoder", "ms", -1, 1, _part("encoder")),
    "part_queue_ms": Metric("queue", "ms", -1, 1, _part("queue")),
    "part_path_ms": Metric("network path", "ms", -1, 1, _part("path")),
    "part_server_and_line_ms": Metric("server and line", "ms", -1, 1, _part("server_and_line")),
    "part_decoder_ms": Metric("decoder", "ms", -1, 1, _part("decoder")),
    "part_screen_ms": Metric("display", "ms", 0, 1, _part_screen),
    "beyond_p50": Metric("response beyond one round trip, median", "ms", -1, 0, _beyond("p50")),
    "beyond_p95": Metric("response beyond one round trip, 95 %", "ms", -1, 0, _beyond("p95")),
    "response_delay": Metric("response delay", "ms", -1, 0, _response_delay),
    "lost_percent": Metric("presses without an answer", "%", -1, 0, _lost_share),
    "age_p50": Metric("frame age, median", "ms", -1, 0, _sight("age_ms", "p50")),
    "age_p95": Metric("frame age, 95 %", "ms", -1, 0, _sight("age_ms", "p95")),
    "operation_ms": Metric("press to finished picture", "ms", -1, 0, _operation),
    "kb_per_frame": Metric("data per picture shown", "kB", -1, 1, _per_frame_shown),
    # in the measured part: what was drawn in it is the same for all systems
    "kb": Metric("received, all", "kB", -1, 0, _kb("bytes_down")),
    "kb_total": Metric("received since the viewer's start", "kB", -1, 0, _kb("bytes_down_total")),
    "cpu_viewer_per_frame": Metric("CPU of the viewer per picture shown", "ms", -1, 1,
                                   _cpu_per_frame("viewer")),
    "cpu_server_per_frame": Metric("CPU of the server, and of the accelerator beside it, per picture shown", "ms",
                                   -1, 1, _cpu_per_frame("server", "accel")),
    "kb_per_drawn": Metric("data per picture drawn", "kB", 0, 1, _per_frame_drawn),
    "pixels_percent": Metric("pixels in what was received", "%", 1, 1, _pixels_share),
    "push_rate_kbit_s": Metric("rate of the path, as the far end takes it", "kbit/s", 0, 0,
                               _result("viewer_report.push.rate_kbit_s")),
    "push_sent_kbit_s": Metric("sending rate, as the far end tells", "kbit/s", 0, 0,
                               _result("viewer_report.push.sent_kbit_s")),
    "push_fps": Metric("frame rate, as the far end tells", "fps", 0, 1,
                       _result("viewer_report.push.fps")),
    "push_jpeg": Metric("JPEG quality, as the far end tells", "", 0, 0,
                        _result("viewer_report.push.jpeg")),
    "psnr_db": Metric("PSNR of the picture, median", "dB", 1, 1, _result("picture.psnr_db.p50")),
    "psnr_p5": Metric("PSNR of the picture, worst 5 %", "dB", 1, 1, _result("picture.psnr_db.p5")),
    "ssim": Metric("SSIM of the picture, median", "", 1, 3, _result("picture.ssim.p50")),
    "ssim_p5": Metric("SSIM of the picture, worst 5 %", "", 1, 3, _result("picture.ssim.p5")),
    "quality": Metric("JPEG level asked for", "", 0, 1, _quality),
    "start_ms": Metric("full rate after a rest", "ms", -1, 0, series.start_ms),
    "exact_ms": Metric("exact after motion", "ms", -1, 0, _exact_ms),
    "arrived_half_ms": Metric("half of a large update is there", "ms", -1, 0, _arrived(0.5)),
    "arrived_90_ms": Metric("90 % of a large update is there", "ms", -1, 0, _arrived(0.9)),
    "arrived_99_ms": Metric("99 % of a large update is there", "ms", -1, 0, _arrived(0.99)),
    "beside_p50": Metric("text beside the film exact, median", "ms", -1, 0, _beside(0.5)),
    "beside_p95": Metric("text beside the film exact, 95 %", "ms", -1, 0, _beside(0.95)),
    "packet_latency_p50": Metric("operation by packets, median", "ms", -1, 0,
                                 _result("packets.latency_ms.p50")),
    "packet_latency_p95": Metric("operation by packets, 95 %", "ms", -1, 0,
                                 _result("packets.latency_ms.p95")),
    "packet_latency_mean": Metric("operation by packets, mean", "ms", -1, 0,
                                  _result("packets.latency_ms.mean")),
    "packet_marks_p50": Metric("the same operations by marks, median", "ms", -1, 0,
                               _result("packets.marks_ms.p50")),
    "packets_over_marks": Metric("by packets / by marks", "", 0, 3, _result("packets.over_marks")),
    "packet_kb": Metric("data per operation by packets", "kB", -1, 1, _kb("packets.bytes_down")),
    "packet_up_kb": Metric("data per operation by packets, to the server", "kB", -1, 2,
                           _kb("packets.bytes_up")),
    "packet_not_resting": Metric("operations before which the server did not rest", "%", -1, 0,
                                 _not_resting),
    "packet_total_kb": Metric("received by packets, all", "kB", 0, 0, _kb("packets.total.bytes_down")),
    "packet_time_s": Metric("from the first packet to the last", "s", 0, 1,
                            _result("packets.total.time_s")),
    # of a run alone it is not known: what is steady stands in the target
    "back_s": Metric("steady again after", "s", -1, 1, lambda _result, _settings: None),
    "first_picture_s": Metric("first picture after", "s", -1, 2, _result("first_picture_s")),
    "first_picture_trips": Metric("first picture after", "round trips", -1, 1, _first_picture_trips),
}


_RESPONSE = ("response: from pressing a key until its effect is on the viewer's screen, less is"
             " better; p50 is the median, 95 % of the presses took p95 or less.")
EXPLAIN = {
    "fps": "fps: frames of the content that are seen whole, per second of the measured time, more is"
           " better.",
    "partial_fps": "With halves: a frame of which one corner was seen, and never the whole, counts as a"
                   " half.",
    "longest_gap_ms": "longest gap: the longest time of a run in which no new frame was seen, less is"
                      " better.",
    "lost_percent": "not answered: presses without an effect until 2 s after the measured time, less is"
                    " better.",
    "response_p50": _RESPONSE,
    "response_p95": _RESPONSE,
    "psnr_db": "PSNR: how like the frame that was drawn the picture on the viewer's screen is, more is"
               " better; 100 dB is exact.",
    "psnr_p5": "PSNR p5: 5 % of the pictures are worse.",
    "ssim": "SSIM: how alike both are in structure, more is better; 1 is exact.",
    "quality": "JPEG level: 0 to 9, the mean of what vnchl asked the server for; servers mean different"
               " qualities by it.",
    "response_mean": "response, mean: of the presses that were answered.",
    "part_path_ms": "The parts are vnchl's own means, over its whole run; a dash: not known. Network path: both"
                    " ways; without a far end one round trip.",
    "part_screen_ms": "Display: the mean response less these parts, for the window and the X server; of other"
                      " presses, too, so it may be below 0.",
    "first_picture_s": "first picture: from the viewer's start until the whole picture is on its screen.",
    "first_picture_trips": "In round trips: with the time that the viewer takes to start, which counts where the"
                           " round trip is short.",
    "start_ms": "full rate after a rest: from drawing the first frame after it until"
                f" {100 * series.FULL:.0f} % of the frames of {series.FULL_MS} ms are seen, less is better.",
    "back_s": "steady again: from the link's change to the first second with"
              f" {100 * series.STEADY_FRAMES:.0f} % of the frames of a link that always was so,"
              f" {100 * series.STEADY_AGES:.0f} % of them within its age p95, and all responses within its"
              " response p95, less is better.",
    "age_p50": "age: from drawing a frame at the server until it is on the viewer's screen, less is"
               " better.",
}


# How good the pictures are whose rate is told: a rate says little without it.
PICTURE = ("psnr_db", "ssim", "quality")
# Frame rates, and what every chapter that tells one has below its views.
RATES = tuple(name for name, one in METRICS.items() if one.unit == "fps")
BESIDE_RATES = ("fps", "partial_fps", "longest_gap_ms", "lost_percent", "psnr_db", "psnr_p5", "quality")


OF_PROGRAM = "figures."  # before the name of a figure that is none of METRICS


def explain(names):
    """What the figures of these names are, each sentence once."""
    return " ".join(dict.fromkeys(EXPLAIN[n] for n in names if n in EXPLAIN))


def counts_between_frames(result):
    """Whether its `fps` is of an older definition: from the first frame seen to the last one."""
    return data.number(data.setting(result, "sightings.fps")) is not None and (
        data.setting(result, "sightings.still_ms") is None)


def tells_last_level(result, settings):
    """Whether its `quality` is of an older definition: the level that was asked for last."""
    return "quality" not in result and _quality(result, settings) is not None


def labelled(figure):
    """The name of a figure with its unit."""
    return f"{figure.label}, {figure.unit}" if figure.unit else figure.label


def _of_program(name):
    """A figure of a program that is no experiment (records.of_program): "TEXT, UNIT", or a text alone."""
    label, _, unit = name.rpartition(", ")
    return Metric(label or unit, unit if label else "", 0, None,
                  lambda result, _settings: data.number((result.get("figures") or {}).get(name)))


def metric(name):
    if name.startswith(OF_PROGRAM):
        return _of_program(name.removeprefix(OF_PROGRAM))
    if name not in METRICS:
        known = ", ".join(sorted(METRICS))
        raise data.ReportError(f'unknown figure "{name}" in a view; known: {known}')
    return METRICS[name]


# What packets say of single operations: they have to be told apart for it.
OF_OPERATIONS = ("packet_latency_p50", "packet_latency_p95", "packet_latency_mean", "packet_marks_p50",
                 "packets_over_marks", "packet_kb", "packet_up_kb")


def doubtful(cell, name):
    """Whether a run of the cell makes this figure of it doubtful."""
    return bool(cell.doubtful if name in OF_OPERATIONS else cell.disturbed)


def values(cell, name, of=None):
    """The figure of each run of the cell that has it; `of` computes it in its own way."""
    of = of or metric(name).of
    found = (of(result, cell.settings) for result in cell.results)
    return [v for v in found if v is not None]


class Figure:
    """Median, extremes and number of runs of one figure, over all cells that belong together."""

    def __init__(self, cells, name, of=None):
        found = [v for cell in cells for v in values(cell, name, of)]
        self.name = name
        self.median = data.median(found)
        self.low = min(found) if found else None
        self.high = max(found) if found else None
        self.runs = len(found)
        finite = [v for v in found if v != math.inf]
        self.deviation = statistics.stdev(finite) if len(finite) == len(found) > 1 else None  # of the repeats
        self.lacking = not found and any(cell.results for cell in cells)  # runs, but without it
        self.doubtful = any(doubtful(cell, name) for cell in cells)
        self.errors = [e for cell in cells for e in cell.errors]
        self.failed = bool(self.errors) and not any(cell.results for cell in cells)


def fitting(values):
    """How many digits behind the point leave two or three in all; none where all are whole."""
    most = max(map(abs, values))
    return 0 if most >= 30 or all(v == math.inf or v == int(v) for v in values) else 1 if most >= 3 else 2


def show(value, digits):
    """The number as text; None is a blank, infinity what did not come. Where the figure has no `digits` of its
    own, as many as fit."""
    if value is None:
        return ""
    if value == math.inf:
        return "never"
    digits = fitting([value]) if digits is None else digits
    if value and abs(value) < 0.5 * 10**-digits:  # never a false 0
        return f"{value:.1g}"
    return f"{value:.{digits}f}"


SERVERS = {"tigervnc": "TigerVNC", "tightvnc": "TightVNC", "demo": "vnchl-demo", "qemu": "QEMU"}


def describe(path, value):
    """A setting in words: link.rtt_ms = 300 is "RTT 300 ms"."""
    text = f"{value:g}" if isinstance(value, (int, float)) and not isinstance(value, bool) else value
    if path == "server":
        return SERVERS.get(value, f"{value}") + " server"
    words = {
        "link.rtt_ms": "RTT {} ms",
        "link.rate_mbit": "{} Mbit/s",
        "link.loss_percent": "{} % loss",
        "link.congestion": "{}",
        "link.server_congestion": "{} at the server",
        "prp": "PRP {} ms" if data.number(data.plain(value)) is not None else "PRP {}",
        "content.fps": "content at {} frames/s",
        "content.scene": "{}",
        "duration_s": "{} s measured",
        "system": "{}",
        "case": "{}",
    }
    if path == "link.rate_mbit" and value == 0:
        return "unlimited rate"
    return words.get(path, path + " {}").format(text)


AXES = {
    "link.rtt_ms": "round trip time (ms)",
    "link.loss_percent": "packets lost, each way (%)",
    "link.rate_mbit": "link rate (Mbit/s)",
    "prp": "pre-request period (ms)",
    "duration_s": "measured for (s)",
    "content.fps": "content's frames per second",
    "content.scene": "operation",
}


def axis(path):
    return AXES.get(path, path)
