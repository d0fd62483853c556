/* Every constant by which the far end goes besides those of prerequest/push/constants.h: first its
 * unit, then why it has this value. The words are those of prerequest/know/constants.h.
 *
 * What a rule does with them stands in its file; sizes of arrays stand where they are used.
 */
#ifndef VNCHL_PUSHER_CONSTANTS_H
#define VNCHL_PUSHER_CONSTANTS_H

#include <stddef.h>

#include "prerequest/tick.h"

/* ---- pusher.h: the loop ---- */

/* Bytes for the viewer that are made ahead of what its socket takes. Chosen: what waits here is
 * older than it need be. */
#define PUSHER_AHEAD 8192
/* Datagrams of the viewer that are read at once. Chosen. */
#define PUSHER_PACKETS 256
/* ns: at the end, so long the viewer may take nothing of what the server has said last. Chosen. */
#define PUSHER_LAST_WORDS (5 * TICK_S)

/* ---- viewer/viewer_side.h, viewer/passed_sound.h, blocks/datagram_blocks.h: what goes to the
 * viewer, and how ---- */

/* Bytes of messages of the server that may wait for the viewer. Chosen: more come from one whose
 * viewer does not read. */
#define VIEWER_SIDE_QUEUED_MOST ((size_t)8 << 20)
/* Bytes of messages of sound that may wait for the viewer: 0.4 s. Chosen: QEMU's longest message,
 * 64 KiB. A viewer plays nothing that is older than 0.2 s (rfb/sound_queue.h). */
#define PASSED_SOUND_MOST ((size_t)72 << 10)
/* Bytes of samples that a message to the viewer has at most: 23 ms. Chosen: less than PUSHER_AHEAD,
 * so that blocks leave at once behind it. Whole frames of sound: a viewer drops the part of one. */
#define PASSED_SOUND_PIECE ((size_t)4 << 10)
/* ns: a whole picture may take so long on the stream. Chosen: it takes less where nothing is lost,
 * and many seconds where much is. */
#define DATAGRAM_BLOCKS_WAIT (300 * TICK_MS)

/* ---- path.h: the path of datagrams ---- */

/* ns: a packet that only asks is repeated each PATH_ASK for the time PATH_ASK_OFTEN. Each later one
 * is repeated after twice as long, up to PATH_ASK_MOST. Chosen: as the viewer says hello
 * (rfb/session/constants.h). */
#define PATH_ASK       (100 * TICK_MS)
#define PATH_ASK_OFTEN (5 * TICK_S)
#define PATH_ASK_MOST  TICK_S
/* Packets that are no good and are read in a row. Chosen: then others have their turn. */
#define PATH_BAD 64
/* Times what has come from an address that may go there before it has shown that it reads. RFC
 * 9000, section 8.1: a hello may have been caught, and repeated in somebody else's name. */
#define PATH_TIMES 3

/* ---- server/server_side.h, server/tap.h: what goes to the server, and comes ---- */

/* Bytes for the server that may wait: the viewer is not read while there are more. Chosen. */
#define SERVER_SIDE_MOST ((size_t)64 << 10)
/* Compression level, 0..9. Chosen: the least work of the levels that TightVNC's server, too, takes
 * as they are meant. */
#define SERVER_SIDE_COMPRESS 1
/* ns: the loop looks at least so often, even if nothing happens. Chosen. */
#define SERVER_SIDE_LOOKS (10 * TICK_S)
/* Bytes that are kept at most: the longest message that is passed on, and what was read ahead; and
 * while pixels come, which nobody passes on. Chosen: more than a stream reads ahead. */
#define TAP_MOST   ((size_t)8 << 20)
#define TAP_LITTLE ((size_t)1 << 17)

/* ---- viewer/update_parts.h: copies within an update ---- */

/* Copies that are joined at most. Chosen. */
#define UPDATE_PARTS_JOINED 32
/* Percent of the rectangle that they are, at least. Chosen. */
#define UPDATE_PARTS_NEARLY 95

/* ---- references/references.h, references/kept_tiles.h: what the viewer has already ---- */

/* Cells that wait, at least, before anything is looked for. Chosen: a line of text. */
#define REFERENCES_CELLS 32
/* Moves that wait to leave, at most. Chosen: a window, or parts of one that scrolls. */
#define REFERENCES_MOVES 6
/* ns: so long after a refusal nothing is believed to have come that was not told of. Chosen: the
 * loss is known by then. */
#define REFERENCES_DOUBT (10 * TICK_S)
/* Cells of a tile that wait, at least, before it is kept, or looked for. Chosen. */
#define KEPT_TILES_CELLS 4
/* ns that a tile has stood before it is kept. Chosen. */
#define KEPT_TILES_STOOD TICK_S

/* ---- references/foretelling.h: text that is foretold ---- */

/* Cells that wait at most: 262144 pixels. Chosen: for text each end takes about 35 ms. */
#define FORETELLING_CELLS 1024
/* Pixels of a piece at most. Chosen: one that does not fit was coded in vain. */
#define FORETELLING_PIECE 16384
/* Colours of a cell that may be the edge of a picture, at most: more go as JPEG where that may be.
 * Chosen: the shades of soft letters. */
#define FORETELLING_COLOURS 64
/* Refusals after which a viewer gets no foretold text any more: both ends may compute differently.
 * Chosen: datagrams that are switched on while blocks are on their way cause a few. */
#define FORETELLING_REFUSALS 50

/* ---- blocks/film_maker.h: the thread that encodes ---- */

/* What it is nicer than the others. Chosen: what the viewer says goes before it, and a busy machine
 * still leaves it a third of what others get. */
#define FILM_MAKER_NICE 5

/* ---- visits/ahead.h: the picture before the connection stands ---- */

/* Packets of the viewer that are read at once. Chosen. */
#define AHEAD_PACKETS 256
/* ns: a viewer that says nothing for so long has gone. Chosen: three times as long as one has
 * nothing to say whose picture does not change (DATAGRAMS_KEEP, rfb/session/constants.h). */
#define AHEAD_SILENT (30 * TICK_S)

/* ---- viewer/standing.h: what a kept far end tells the next viewer ---- */

/* Bytes of a message that is kept. A longer one makes its kind unknown. Chosen: a pointer's shape
 * of 256x256 pixels, four times. */
#define STANDING_MOST ((size_t)1 << 20)

#endif
