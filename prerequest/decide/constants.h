/* Every constant of the decisions: first its unit, then why it has this value. The words are those
 * of know/constants.h.
 *
 * What a rule does with them stands in its file, and in docs/scheduler.md, which also tells what
 * each rule is worth. The ladder of qualities stands in quality.c.
 */
#ifndef VNCHL_DECIDE_CONSTANTS_H
#define VNCHL_DECIDE_CONSTANTS_H

#include "prerequest/tick.h"

/* ---- scheduler.h: the PRP that a user may fix ---- */

/* ms. The thesis's experiments (VNC-HL) span 1 to 500; the upper limit is chosen. */
#define PRP_FIXED_MIN_MS 1
#define PRP_FIXED_MAX_MS 10000

/* ---- policy_auto.c: when requests leave ---- */

/* Parts of the gap between frames: a server becomes near when the round trip is shorter than the
 * first, and stays near while it is shorter than the second. Chosen: apart, so that it does not
 * change to and fro. At 30 frames per second they are 11 and 17 ms. */
#define POLICY_AUTO_NEAR       3
#define POLICY_AUTO_NEAR_STILL 2
/* ns: the shortest and the longest time after which a request leaves that nothing else asks for,
 * because one may have been lost, or miscounted. Chosen. */
#define POLICY_AUTO_PATIENCE_LEAST (250 * TICK_MS)
#define POLICY_AUTO_PATIENCE_MOST  (10 * TICK_S)
/* ns: after so long without an update, a server that merges is asked as seldom as any other.
 * Chosen. */
#define POLICY_AUTO_WATCHFUL (60 * TICK_S)
/* Requests that leave early after a key or a click, and ns from one to the next. Chosen: one with
 * the key and one after it. */
#define POLICY_AUTO_TRAIN        2
#define POLICY_AUTO_TRAIN_PERIOD (10 * TICK_MS)
/* ns: about the time that a program takes to show the effect of a key. Chosen. */
#define POLICY_AUTO_EFFECT (20 * TICK_MS)
/* Frames come irregularly when they swing by more than this part of the gap. Chosen: at 30 frames
 * per second by 7 ms. */
#define POLICY_AUTO_SWING 5
/* Frames within the present second before a probe. Chosen: they show how far frames are apart. */
#define POLICY_AUTO_PROBE_FRAMES 10
/* Round trips whose requests may be in flight while TCP starts slowly. Chosen: a heap of updates
 * answers more requests than it has updates. */
#define POLICY_AUTO_START_TRIPS 2

/* ---- policy_plain.c: while nobody can see the picture ---- */

/* ns from one request to the next. Chosen. */
#define POLICY_HIDDEN_PERIOD TICK_S

/* ---- period.h: the period of the content ----
 *
 * What trials are for was measured on x11vnc: of a film of 30 frames per second it gives 26 when
 * asked every 27 ms, and 29 when asked every 16 ms. */

/* ns: the PRP to begin with. Chosen: fast enough for a film on any server. With the prototype, any
 * PRP of 10 to 40 ms gave the full rate on three servers. */
#define PERIOD_START (16 * TICK_MS)
/* ns: the shortest PRP. Measured with a prototype: x11vnc, 100 ms away, shows a key after 131 ms
 * with a PRP of 10 ms, and after 263 ms with one of 2 ms. It handles about four messages in 20 ms,
 * and input waits behind requests. */
#define PERIOD_MIN (10 * TICK_MS)
/* ns: the longest PRP. Chosen: content with fewer than four frames per second is no film. */
#define PERIOD_MAX (200 * TICK_MS)
/* The PRP in gaps of the content. Chosen: 1.25 requests per frame, so one is there also when the
 * frame is up to a fifth of a gap late; between the two conditions below, so that steady content
 * leaves the PRP alone. */
#define PERIOD_RULE 0.8
/* The same where each update brings a request. Chosen: the timer is needed only when an update is
 * missing, so it may be twice as slow. */
#define PERIOD_RULE_WHERE_UPDATES_ASK (2 * PERIOD_RULE)
/* The same where frames come irregularly. Chosen: two requests leave for each. */
#define PERIOD_RULE_SWINGING 0.5
/* ns: time for thirty frames of a film. Chosen: one judgement a second is enough. */
#define PERIOD_WINDOW TICK_S
/* Gaps: frames keep up with a PRP of so many or more. Then it becomes so many times itself. Chosen.
 */
#define PERIOD_KEEPS_UP 0.9
#define PERIOD_SPEED_UP 0.6
/* Requests per frame: more are a waste. Chosen: a little more than the 1.25 of PERIOD_RULE. */
#define PERIOD_WASTE_LIMIT 1.3
/* The PRP grows to so many times itself at once at most. Chosen. */
#define PERIOD_MAX_STEP 4
/* Seconds of a trial. Chosen: a change needs one or two to show, and two more to be judged. */
#define PERIOD_TRIAL 4
/* A gap that is so many times as long is not chance. Chosen. */
#define PERIOD_WORSE 1.03
/* The same where each update brings a request: such a trial ends at once. Chosen. */
#define PERIOD_MUCH_WORSE 1.2
/* Seconds without a trial after one that was undone: at first, at most, and by what it grows each
 * time. Chosen: a trial costs frames. */
#define PERIOD_PATIENCE       8
#define PERIOD_PATIENCE_MAX   64
#define PERIOD_PATIENCE_TIMES 4

/* ---- quality.h: how good the pictures are ---- */

/* Steps, 0: best; and the last one that is taken for the sake of a full frame rate. Chosen: those
 * beyond it look bad in motion. */
#define QUALITY_STEPS  9
#define QUALITY_COARSE 6
/* ns: round trips from which on a path begins with QUALITY_COARSE, and with the last step. Chosen:
 * TCP begins with ten packets, and a picture of 160 kB takes four round trips. */
#define QUALITY_NEAR (20 * TICK_MS)
#define QUALITY_FAR  (200 * TICK_MS)
/* The step to begin with on a near path whose rate is not known. Chosen. */
#define QUALITY_CAREFUL 1
/* Shares of the downlink, 0..1. Chosen so that a step up does not lead to a step down soon after:
 * 0.6 / 0.78 is less than 0.85. With plenty, a step may even make twice the bytes. */
#define QUALITY_FULL   0.85
#define QUALITY_AIM    0.70
#define QUALITY_SPARE  0.60
#define QUALITY_PLENTY 0.25
/* What a step down leaves of the bytes, 0..1. Measured: the lab's film has 160 kB at step 0 and 17
 * kB at step 8, which is 0.755 a step (tests/sim/scenario.hpp). */
#define QUALITY_STEP 0.78
/* Frames per second. Chosen: about a film's. */
#define QUALITY_SLOW 25.0
/* ns: between two changes; with room before a step up; the same at most, after steps up that were
 * too much; between two changes while steps up need no waiting. Chosen. */
#define QUALITY_EVERY  (TICK_S / 2)
#define QUALITY_UP     (TICK_S)
#define QUALITY_UP_MAX (32 * TICK_S)
#define QUALITY_BACK   (TICK_S / 4)
/* Waits for a step up: a step down within so many after one shows that it was too much; after so
 * many without a change the wait is halved. Chosen. */
#define QUALITY_REGRET 4
#define QUALITY_CALM   8
/* Round trips without a step up after a rest. Chosen. */
#define QUALITY_START 4
/* Updates of a step before it is judged as too much, and as less than fits. Chosen. */
#define QUALITY_SETTLE 2
#define QUALITY_SURE   8

/* ---- refresh.h: what came with loss is asked for again ---- */

/* ns. Chosen: shorter than a person needs to look at something, longer than the gap of any film. */
#define REFRESH_STILL (TICK_S / 2)
/* ns. Chosen: on the slowest links a reader waits no longer for sharp text. */
#define REFRESH_STILL_MOST (10 * TICK_S)
/* ns: the period of incremental requests while a refresh lasts. Chosen: some servers need one of
 * them to send what a non-incremental one has asked for. */
#define REFRESH_PRP (50 * TICK_MS)
/* ns: after so long without an answer none is expected any more. Chosen. */
#define REFRESH_LIMIT (5 * TICK_S)
/* Bytes for a pixel of a photograph without loss. Measured with ZRLE and Tight, roughly. */
#define REFRESH_BYTES_PER_PIXEL 2
/* ns: a slice keeps the path busy for so long. Chosen: input waits no longer behind it. */
#define REFRESH_SLICE (TICK_S / 10)
/* Pixels of a slice while the delivery rate is not known. Chosen: 256 x 256. */
#define REFRESH_SLICE_PIXELS 65536

/* ---- window.h: TCP's receive window ---- */

/* Times the bytes of a round trip. Chosen: faster moments have to fit, and what is sent again after
 * a loss. */
#define WINDOW_HEADROOM 2
/* What is set is so many times the need. Chosen: a larger window may show a larger need, which fits
 * already then. */
#define WINDOW_STEP 2
/* Bytes: no TCP connection can have more (RFC 7323: 16 bits, scaled by up to 14). */
#define WINDOW_MAX ((int64_t)65535 << 14)

#endif
