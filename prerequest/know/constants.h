/* Every constant of the estimators: first its unit, then why it has this value.
 *
 *   chosen       set by judgement, not measured; the reason follows where there is one
 *   calculated   follows from others
 *   measured     with what
 *
 * What a rule does with them stands in its file, and in docs/scheduler.md, which also tells what
 * each rule is worth. Sizes of arrays stand beside the arrays.
 */
#ifndef VNCHL_KNOW_CONSTANTS_H
#define VNCHL_KNOW_CONSTANTS_H

#include "prerequest/tick.h"

/* ---- round_trip.h: the round trip without queues ---- */

/* ns: two halves are kept, so the smallest is that of the last 5 to 10 s. Chosen: a route changes
 * seldom, and ten seconds with a wrong value do little harm. */
#define ROUND_TRIP_WINDOW (10 * TICK_S)
/* ns: when the newest is more than this above the smallest, the route itself may be longer. Chosen:
 * on a path that is not full the kernel sees shorter queues than this. */
#define ROUND_TRIP_RISE (30 * TICK_MS)
/* Kernel's round trips, and ms: a handshake that took longer went through a relay. Chosen. */
#define ROUND_TRIP_RELAYED_FACTOR   4
#define ROUND_TRIP_RELAYED_EXTRA_MS 30.0
/* ms: longer than a host waits before it acknowledges a small message, which is 40 ms on Linux. */
#define ROUND_TRIP_DELAYED_ACK_MS 50

/* ---- downlink.h: pauses, and the share in use ---- */

/* ns of silence at least, besides the packets below. Chosen: the kernel may let a thread run 2 ms
 * late. */
#define DOWNLINK_PAUSE (2 * TICK_MS)
/* Packets of 1460 bytes. They may be late one after another. Chosen: 3000 bytes. */
#define DOWNLINK_PAUSE_PACKETS (3000.0 / 1460)
/* ns: the time of those packets while it is not known. Chosen. */
#define DOWNLINK_PAUSE_UNKNOWN (5 * TICK_MS)
/* ns: the time over which `busy` is smoothed. What was before counts half after 0.7 of it. Chosen.
 */
#define DOWNLINK_BUSY_TIME ((double)TICK_S)

/* ---- delivery.h: what the path delivers ---- */

/* Bytes in a full TCP packet: an Ethernet frame of 1500 without the headers of IP and TCP. */
#define DELIVERY_PACKET 1460
/* Bytes. Chosen: a shorter update is one or two packets, and when these come is chance. */
#define DELIVERY_LEAST_BYTES 2000
/* How much the newest update counts, 0..1. Chosen: the mean is of the last ten or so. */
#define DELIVERY_GAIN 0.2
/* What is left of `best` after a piece that was slower, 0..1. Chosen: half is gone after 13 pieces,
 * which are 160 kB. */
#define DELIVERY_FADES 0.95

/* ---- delivery.h: a path that has become slower ---- */

/* Bytes. Chosen: eight packets, so that it does not matter when a single one comes. */
#define SLOWDOWN_PIECE 12000
/* Pieces in a row. One may be a lost packet, which TCP sends again. */
#define SLOWDOWN_PIECES 2
/* Times slower than usual. Chosen: more than the rate of a healthy path changes within an update.
 */
#define SLOWDOWN_TIMES 2.5

/* ---- downlink.h: how long the path is busy with an update ---- */

/* How much the newest update counts, 0..1; and one that shows that updates take less time now.
 * Chosen: the mean is of the last ten or so, or of the last five. */
#define SERVICE_GAIN      0.2
#define SERVICE_GAIN_DOWN 0.4
/* A share of the usual time: less is much less. Chosen. */
#define SERVICE_LESS 0.75

/* ---- content_gap.h: the time between frames ---- */

/* ns: the gap until the content has shown its own. Chosen: most films have no more than 30 frames
 * per second. */
#define CONTENT_GAP_FIRST (TICK_S / 30)
/* A share of the downlink's time: below it there is time to spare. Chosen. */
#define CONTENT_GAP_FREE 0.75
/* How much the newest frame counts for the gap, 0..1. Chosen: the mean is of the last twenty or so.
 */
#define CONTENT_GAP_GAIN 0.1
/* The same for the swing. Chosen: of the last fifty or so. */
#define CONTENT_GAP_SWING_GAIN 0.04
/* ns: frames are counted for so long before they correct the gap. Chosen: at 30 frames per second
 * these are 15, which is enough for a mean. */
#define CONTENT_GAP_WINDOW (TICK_S / 2)
/* ns: after so long without a frame the content was still, so this time is no gap. Chosen. */
#define CONTENT_GAP_STILL TICK_S

/* ---- in_flight.h: requests in flight ---- */

/* ns: after so long without an update more requests have piled up than before. Chosen. */
#define IN_FLIGHT_SILENCE TICK_S

/* ---- server_kind.h: whether the server merges or counts ---- */

/* Gaps of the content between two requests of a probe. Chosen: below 2 no two frames in a row
 * are left out. */
#define SERVER_KIND_PROBE_GAPS 1.4
/* Gaps of the content that a probe lasts. Calculated: that is time for 17 / 1.4 = 12 requests, and
 * a counting server sends 17 updates meanwhile, five too many. */
#define SERVER_KIND_PROBE_LENGTH 17
/* ns: where frames are further apart than this, a person would see the probe. Chosen. */
#define SERVER_KIND_PROBE_GAP (50 * TICK_MS)
/* Saved requests that make a probe worth it. Chosen: at 30 frames per second a counting server
 * would owe nearly a second of updates. */
#define SERVER_KIND_PROBE_SAVED 24
/* Times as many once the server has shown that it merges. Chosen. */
#define SERVER_KIND_PROBE_RARE 4
/* Updates more than requests that make a probe suspicious. Calculated: a merging server may send up
 * to two more. One request was waiting there before, and another one that had left before the probe
 * may arrive late. */
#define SERVER_KIND_SUSPICION 3
/* Suspicious probes in a row that prove that the server counts. Chosen: to take a merging server
 * for a counting one costs a second of standstill. */
#define SERVER_KIND_PROOF 2
/* Updates after which a server that seems to owe no less owes nothing. Chosen. */
#define SERVER_KIND_PROOF_BACK 6

/* ---- path.h: how much fits the path ---- */

/* The share of the path that is filled. Chosen: the rest lets a queue drain, and lets a change
 * show. */
#define PATH_FILL 0.92
/* ns: a queue is to be gone in about this time. Chosen. */
#define PATH_DRAIN_TIME ((double)TICK_S / 2)
/* ns: a run with a queue that lasts longer than this and a round trip is to end. Chosen. */
#define PATH_RUN_LIMIT TICK_S
/* ns: the longest period, however slow a path may seem. Chosen. */
#define PATH_PERIOD_MOST (4.0 * TICK_S)
/* Requests in flight before anything has arrived. Chosen: the answers to more of them might keep a
 * slow path busy for seconds. */
#define PATH_UNKNOWN_IN_FLIGHT 2
/* Requests that may wait at a server that has nothing new. Chosen: a merging server makes one of
 * them, so more are of no use. */
#define PATH_STILL_REQUESTS 8
/* ns: when a request had been at the server for longer than this, it had waited for the content.
 * Chosen: less may be the time that the server needs to draw and encode. */
#define PATH_WAITED (4 * TICK_MS)

/* ---- motion.h: whether the screen moves ---- */

/* ns. Chosen: what moves, moves again within this time, and who types presses the next key. */
#define MOTION_IDLE (2 * TICK_S)
/* Bytes. Chosen: an update no larger than this is a blinking caret, or a clock. */
#define MOTION_SMALL 4000

/* ---- answered.h, response_parts.h: from input to the picture that shows its effect ---- */

/* ns: what nothing answers within this time had no effect that can be seen. Chosen. */
#define RESPONSE_LIMIT (2 * TICK_S)
/* ns: no response takes longer, with all that the window adds. Chosen. */
#define RESPONSE_MOST (60 * TICK_S)
/* The share that the line loses from which on it is worth a word. Chosen: less is hardly seen. */
#define RESPONSE_LOSS 0.01

#endif
