"""What happened when in a run: figures of the moments at which its frames were seen.

Pure. Each takes one run's result and its settings; None where these do not have what is needed,
infinity where what is waited for did not come while the run was watched. Times within a run are in
ms from the beginning of its measured part.
"""

import math
import re

import report_data as data

# A content that rests: more than this passes between two drawings, besides frames that were left out.
REST_MS = 1000

# Full rate: in so many ms this share of the frames that are drawn in them is seen.
FULL_MS = 500
FULL = 0.85

# A start is looked at if the run was watched for so long after it.
START_MS = 2000

# Steady figures: of the frames of a second, this share of the steady number, and this share not older
# than all but the oldest 5 % are in steady runs. Looked for every STEP_MS.
SECOND_MS = 1000
STEP_MS = 200
STEADY_FRAMES = 0.9
STEADY_AGES = 0.75

UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1, "min": 60}


def _numbers(result, key):
    found = data.setting(result, "sightings." + key)
    good = isinstance(found, list) and all(data.number(v) is not None for v in found)
    return found if good else []


def frames(result):
    """[(when it was seen, its age, its number)], in order; empty where one of these is not known."""
    columns = [_numbers(result, key) for key in ("seen_ms", "ages_ms", "numbers")]
    same = len({len(c) for c in columns}) == 1
    return list(zip(*columns)) if same else []


def presses(result):
    """[(when it was made, ms until its answer was seen)] of those that were answered."""
    columns = [_numbers(result, key) for key in ("pressed_ms", "responses_ms")]
    return list(zip(*columns)) if len(columns[0]) == len(columns[1]) else []


def _duration(result):
    return 1000 * (data.number(data.setting(result, "sightings.duration_s")) or 0)


# ---- idle, then motion ----


def _motions(seen, fps):
    """[(when its first frame was drawn, its frames)] of each motion that follows a rest.

    The last picture before a rest is always seen, so numbers that are missing after it are of frames
    that were drawn at the beginning of the motion and not seen.
    """
    found = []
    for before, this in zip(seen, seen[1:]):
        drawn = this[0] - this[1] - (this[2] - before[2] - 1) * 1000 / fps
        if drawn - (before[0] - before[1]) > REST_MS + 1000 / fps:
            found.append((drawn, []))
        if found:
            found[-1][1].append(this)
    return found


def _full_rate(motion, fps):
    """When the first frame was seen from which on the full rate was; infinity: never."""
    times = [f[0] for f in motion]
    least = FULL * fps * FULL_MS / 1000
    return next((t for t in times if sum(t <= other < t + FULL_MS for other in times) >= least),
                math.inf)


def start_ms(result, settings):
    """ms from drawing the first frame after a rest to the frame from which on the content's full rate
    is seen: the median of the run's starts."""
    fps = data.number(data.setting(settings, "content.fps"))
    if not fps:
        return None
    end = _duration(result)
    return data.median([_full_rate(motion, fps) - drawn
                        for drawn, motion in _motions(frames(result), fps) if drawn + START_MS <= end])


# ---- the link changes ----


def change_s(settings):
    """When the link changes for the first time, s from its start; None: it does not."""
    options = data.setting(settings, "link.options") or []
    given = [re.fullmatch(r"([\d.]+)(us|ms|s|min):.*", after)
             for option, after in zip(options, options[1:]) if option == "--at"]
    return min((float(m[1]) * UNITS[m[2]] for m in given if m), default=None)


def _is_steady(begin, seen, pressed, steady):
    ages = [age for at, age, _ in seen if begin <= at < begin + SECOND_MS]
    answers = [wait for at, wait in pressed if begin <= at < begin + SECOND_MS]
    return (len(ages) >= max(STEADY_FRAMES * steady["fps"], 1)
            and sum(age <= steady["age_p95"] for age in ages) >= STEADY_AGES * len(ages)
            and all(wait <= steady["response_p95"] for wait in answers))


def back_s(result, settings, steady):
    """s from the change of the link to the first second at the steady figures of the changed link.

    `steady`: `fps`, `age_p95` and `response_p95` of runs on a link that always was as this one becomes.
    """
    changed, begin = change_s(settings), data.number(result.get("begin_s"))
    if changed is None or begin is None or None in steady.values():
        return None
    change, end = 1000 * (changed - begin), _duration(result)
    steps = int((end - SECOND_MS - change) // STEP_MS) + 1
    if change < 0 or steps < 1:  # it was not watched
        return None
    seen, pressed = frames(result), presses(result)
    return next((i * STEP_MS / 1000 for i in range(steps)
                 if _is_steady(change + i * STEP_MS, seen, pressed, steady)), math.inf)
