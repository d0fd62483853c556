/* Every constant by which the accelerator asks a server ahead of its client: first its unit, then
 * why it has this value. The words are those of prerequest/know/constants.h.
 *
 * What a rule does with them stands in its file. Limits that only protect (of connections, of
 * buffers) and sizes of arrays stand where they are used. What is pushed in blocks goes by
 * prerequest/push/constants.h.
 */
#ifndef VNCHL_ACCELERATOR_EXCHANGE_CONSTANTS_H
#define VNCHL_ACCELERATOR_EXCHANGE_CONSTANTS_H

#include <stddef.h>

#include "prerequest/tick.h"

/* ---- relay.h: when the server is asked ---- */

/* The server's time is the best of so many answers, and at most so many ns. Chosen: one that waited
 * for the screen to change took longer. The best of all answers was tried: QEMU, which answers at
 * the ticks of a timer, then sent half as many pictures. */
#define RELAY_ANSWERS          8
#define RELAY_SERVER_TIME_MOST (100 * TICK_MS)
/* Updates, and ns besides two round trips, that a client may be behind. Chosen. */
#define RELAY_LEAD_LEAST 4
#define RELAY_LEAD_TIME  (200 * TICK_MS)
/* ns: the client's requests are counted over this time. Chosen. */
#define RELAY_WINDOW (250 * TICK_MS)
/* What is left of its best rate after each such time in which it always had updates to work on,
 * 0..1. Chosen. */
#define RELAY_RATE_FADES 0.8
/* Behind a gateway: updates that are measured before that is known; updates that may be on
 * their way at least; and times its requests in a trip. Chosen. */
#define RELAY_TRIPS         8
#define RELAY_GATEWAY_LEAST 2
#define RELAY_GATEWAY_MORE  1.25
/* ns: a client that lags, and is silent for so long, waits for us. Chosen. */
#define RELAY_SILENCE (2 * TICK_S)
/* Requests without an update that show a pace of its own. Chosen: a new picture that somebody has
 * asked for is one, too. */
#define RELAY_SURPLUS 8
/* ns: the picture moves while updates follow each other so closely. Then a request that is not
 * answered is made again so often. Chosen: TightVNC's server answers at once if something has
 * changed, and else waits 40 ms; at 300 ms it then gave 29.0 pictures a second in place of 15.5. */
#define RELAY_MOTION_GAP   (100 * TICK_MS)
#define RELAY_REPEAT_EVERY (10 * TICK_MS)
/* Requests that are repeated before the server is tested, at first and at most. Chosen: neatvnc
 * owes an update for each. */
#define RELAY_REPEATS      8
#define RELAY_REPEATS_MOST 128
/* ns: programs mostly show within this time what a key or a button does. The test of the server
 * waits so long for it. Chosen. */
#define RELAY_INPUT_SHOWN (100 * TICK_MS)
/* ns besides two round trips: a client with its own pace that has not asked for so long wants no
 * more. Chosen. */
#define RELAY_UNASKED TICK_S

/* ---- gateway_link.h: the link behind a gateway ---- */

/* ns besides two round trips to the gateway: a longer way is a link behind it. Chosen. */
#define GATEWAY_LINK_OWN (40 * TICK_MS)
/* Updates that have to be read before. Chosen. */
#define GATEWAY_LINK_TRIPS 2
/* ns that the next update comes before the link is free. Chosen: the link is never idle. */
#define GATEWAY_LINK_MARGIN (25 * TICK_MS)
/* ns besides two ways: more bytes than the link carries in that are not on their way; but so many
 * updates may be. Chosen. */
#define GATEWAY_LINK_LEAD  (200 * TICK_MS)
#define GATEWAY_LINK_LEAST 3
/* Updates from one that is asked for as soon as may be to the next. Chosen: the link may have
 * become faster. */
#define GATEWAY_LINK_PROBE 16
/* ns from one measurement of the way to the next. Chosen. */
#define GATEWAY_LINK_ALONE (30 * TICK_S)
/* ns: what is read so soon after another one has come with that. Chosen. */
#define GATEWAY_LINK_TOGETHER (5 * TICK_MS)
/* ns: shorter times are not measured. Chosen. */
#define GATEWAY_LINK_BUSY_LEAST (50 * TICK_MS)
/* The newest measurement's share, if it is slower. Chosen. */
#define GATEWAY_LINK_SMOOTH 0.25
/* ns: a request waits no longer behind the time when the link is free. Chosen. */
#define GATEWAY_LINK_WAIT_MOST TICK_S
/* Times what seems to be read. Chosen: the lead may grow. */
#define GATEWAY_LINK_MORE 1.25
/* Seconds: nothing is waited for longer. Chosen. */
#define GATEWAY_LINK_MOST_S 3600

/* ---- flight.h: how much may be on its way ---- */

/* ns of the rate besides what the path holds. Chosen. */
#define FLIGHT_MARGIN (25 * TICK_MS)
/* Bytes at least: ten packets, TCP's own initial window. */
#define FLIGHT_LEAST ((size_t)10 * 1460)
/* ns of a sample at least. Chosen: shorter ones measure bursts of acknowledgements. */
#define FLIGHT_SAMPLE_LEAST (10 * TICK_MS)
/* ns, or round trips if these are longer: a best rate is kept for one or two such spells. Chosen.
 */
#define FLIGHT_SPELL_LEAST TICK_S
#define FLIGHT_SPELL_TRIPS 5
/* The rate is found when it grows by less than this factor, so many times in a row. BBR's. */
#define FLIGHT_GROWTH      1.25
#define FLIGHT_FOUND_AFTER 3
/* A share of what is allowed: with so much on its way the path is measured. Chosen. */
#define FLIGHT_NEARLY 0.75
/* Samples from one in which more is allowed to the next, and times as much. Chosen: the path may
 * have become faster. */
#define FLIGHT_PROBE_EVERY 8
#define FLIGHT_PROBE_GAIN  1.25
/* ns until it is looked again whether there is room. Chosen. */
#define FLIGHT_WAIT_LEAST TICK_MS
#define FLIGHT_WAIT_MOST  (20 * TICK_MS)

/* ---- delivery.h: how fast bytes leave ---- */

/* ns. Chosen: shorter times measure how large single writes are. */
#define DELIVERY_LEAST (10 * TICK_MS)
/* The newest measurement's share. Chosen. */
#define DELIVERY_SMOOTH 0.25

/* ---- up.h: what the server is told ---- */

/* Bytes for the server that may wait, before the client is not read any more. Chosen. */
#define UP_MOST ((size_t)64 << 10)
/* ns: a request that no update has answered for so long waits for the screen to change. Chosen. */
#define UP_FORMAT_PATIENCE (100 * TICK_MS)
/* ns: where no ends of updates are known, a client with ContinuousUpdates is asked for so often.
 * Chosen. */
#define UP_BLIND_EVERY (100 * TICK_MS)

#endif
