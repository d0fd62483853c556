/* Every constant by which a session waits, asks and judges: first its unit, then why it has this
 * value. The words are those of prerequest/know/constants.h.
 *
 * What a rule does with them stands in its file. Limits that only protect, and sizes of arrays,
 * stand where they are used. When pictures are asked for, and how good they are, is
 * prerequest/decide/constants.h's.
 */
#ifndef VNCHL_SESSION_CONSTANTS_H
#define VNCHL_SESSION_CONSTANTS_H

#include "prerequest/tick.h"

/* ---- session.h: the end, and a recording ---- */

/* ns: at the end the last input may wait so long for a server that does not read. Chosen. */
#define SESSION_LAST_WORDS TICK_S
/* ns: a decoder ends at its next read or fill. If it computes for longer than this, nobody waits
 * for it. Chosen. */
#define SESSION_DECODER_PATIENCE (TICK_S / 2)
/* ns between two looks whether a recording has come to the place where the person wants it. Chosen.
 */
#define SESSION_SEEK_LOOK (20 * TICK_MS)

/* ---- connection/life.h: the handshake, and the watchdog ---- */

/* A handshake that goes on may take so many times the time without a byte after which it ends.
 * Measured: where 30 % are lost both ways, with one of five seeds it takes longer than 15 s. */
#define LIFE_HANDSHAKE_MOST 4

/* ns between two looks, unless the session rests. Chosen. */
#define LIFE_PERIOD TICK_S
/* The same while it rests. Chosen: a machine that has nothing to do is left asleep. */
#define LIFE_REST (10 * TICK_S)
/* ns: so long nothing has come before the session rests. Chosen. */
#define LIFE_REST_AFTER (5 * TICK_S)
/* ns: a watchdog that looks so much later than it was to look was kept from it. Chosen. */
#define LIFE_OVERSLEPT (4 * LIFE_PERIOD)

/* ---- connection/keep_alive.h: whether a silent server is still there. All ns ----
 *
 * Chosen: together they are well below the 10 s after which a person gives up. */

/* So long after input the user counts as active. */
#define KEEP_ALIVE_ACTIVE (10 * TICK_S)
/* No byte for so long: ask; and the same while the user only looks on. */
#define KEEP_ALIVE_QUIET (2 * TICK_S)
#define KEEP_ALIVE_WATCH (5 * TICK_S)
/* No byte for so long after the question: silent. */
#define KEEP_ALIVE_ANSWER (3 * TICK_S)
/* So long an answer tells how the server is now. */
#define KEEP_ALIVE_FRESH (3 * TICK_S)

/* ---- push/datagrams.h: the viewer's end of the path. When a packet is repeated stands in
 *      push/datagrams.c, and how often it tells of blocks is PUSH_TOLD_EVERY
 *      (prerequest/push/constants.h) ---- */

/* ns: the first hello is repeated then, and each later one after twice as long, up to the most.
 * Chosen. */
#define DATAGRAMS_HELLO      (100 * TICK_MS)
#define DATAGRAMS_HELLO_MOST (30 * TICK_S)
/* ns: where a path has worked and does no more, hello is repeated each DATAGRAMS_HELLO for so long;
 * then at least each second for a minute. Chosen: some links lose the next so many packets, however
 * long these take. With a ticket hello is repeated at least each second, for as long as the viewer
 * connects. */
#define DATAGRAMS_HELLO_OFTEN  (5 * TICK_S)
#define DATAGRAMS_HELLO_SOON   (60 * TICK_S)
#define DATAGRAMS_HELLO_SECOND TICK_S
/* ns: without an answer another socket is asked for after so long, and each later one after twice
 * as long, up to DATAGRAMS_HELLO_MOST. When a path fails the first one is asked for at once.
 * Chosen. */
#define DATAGRAMS_ANEW (3 * TICK_S)
/* ns from one repetition to the next, behind the first few. Chosen. */
#define DATAGRAMS_SAY (100 * TICK_MS)
/* ns: a packet at least so often. Chosen: no gateway forgets the way. */
#define DATAGRAMS_KEEP (10 * TICK_S)
/* ns: no packet was due for so long after others: ask for one. Chosen. */
#define DATAGRAMS_LOOK (500 * TICK_MS)
/* ns, and so many round trips, without an answer: the path is taken for dead. Chosen: as the far
 * end's (PUSH_DATAGRAMS_SILENT). */
#define DATAGRAMS_SILENT       (700 * TICK_MS)
#define DATAGRAMS_SILENT_TRIPS 3
/* Packets that are no good and are read in a row. Chosen: then others have their turn. */
#define DATAGRAMS_BAD 64

/* ---- push/pushed.h, pictures/picture_blocks.h: blocks that come ---- */

/* ns between two marks of a message at least: blocks that are read closer to each other share one.
 * Chosen: sixteen marks are for 32 ms, as long as a message may have to wait for room. */
#define PUSHED_APART (2 * TICK_MS)
/* Bytes that were read and are acknowledged even if more are here already. Chosen. */
#define PUSHED_EVERY 16384
/* Datagrams that are drawn before the stream has its turn. Chosen. */
#define PICTURE_BLOCKS_IN_A_ROW 64

/* ---- push/old_picture.h: digests of the picture of before ---- */

/* Pixels of a tile's side, and bytes of a digest. Measured: what they weigh
 * (tests/unit/measure/measure_digests.cpp; docs/push.md has the figures). */
#define OLD_PICTURE_SIDE  32
#define OLD_PICTURE_BYTES 4
/* Digests of a picture at most, but where the tiles are as large as can be. Chosen. */
#define OLD_PICTURE_TILES 8192

/* ---- input/sound.h: whether a path carries sound ---- */

/* Times what sound takes that a path has to deliver: to begin, and to go on. Chosen: an eighth of a
 * path is not missed, and a quarter is. */
#define SOUND_PLENTY 8
#define SOUND_LEAST  4
/* ns between two changes that nobody has asked for. Chosen: what comes and goes is worse than none.
 */
#define SOUND_EVERY (10 * TICK_S)
/* ns: so long nothing may be known of the rate before the round trip decides. Chosen. */
#define SOUND_WAITS (2 * TICK_S)
/* ns without a sample: the sound has ended. Chosen. */
#define SOUND_QUIET (2 * TICK_S)

/* ---- pacing/preferences.h, threads/receiver_desktop.h: what server and owner are told ---- */

/* Levels of JPEG quality that a change has to have while H.264 comes. Chosen: with each change
 * neatvnc begins a new encoder, whose first picture takes as much as many others. */
#define PREFERENCES_H264_STEP 3
/* ns between two bells. Chosen: no more can be told apart, and a flood keeps the owner awake. */
#define RECEIVER_BELL_PERIOD (250 * TICK_MS)
/* ns between two lines of dropped texts. Chosen: they must not fill the terminal. */
#define RECEIVER_DROP_PERIOD (10 * TICK_S)

#endif
