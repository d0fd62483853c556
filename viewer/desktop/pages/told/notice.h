/* What the user is told about the connection, in one line, and the window's title with it.
 *
 * Pure. Names and reasons that come in are fit to be shown; so is what goes out.
 */
#ifndef VNCHL_NOTICE_H
#define VNCHL_NOTICE_H

#include <stdbool.h>
#include <stddef.h>

#include "rfb/net/stream.h"
#include "viewer/desktop/connection/connection.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes, with the NUL. A notice holds two reasons and some words more. */
#define NOTICE_MAX (2 * SESSION_REASON_MAX + 64)
#define TITLE_MAX  256
/* ns: a server that says nothing for so long is spoken of. Chosen. */
#define NOTICE_MUTE (2 * TICK_S)

/* Why a session is slow, as a sentence goes on after "slow: "; empty: it is not. */
const char *notice_cause(enum slow_cause cause);

/* Writes the notice for this status. An empty text: there is nothing to tell. */
void notice_text(const struct connection_status *status, char out[NOTICE_MAX]);

/* Whether that is only news: it need not stay on the picture, the title keeps it. */
bool notice_is_news(const struct connection_status *status);

/* Writes "NOTICE - NAME - PROGRAM" without the parts that are empty. If that is too long, NOTICE
 * and NAME are cut, and PROGRAM stays. */
void notice_title(const char *notice, const char *name, const char *program, char out[TITLE_MAX]);

/* Where a recording is, in words. Pure. */

#define PLAY_WORDS_MAX 48

/* "0:12 of 1:34", "1:00:05 of 2:10:00"; without the length where that is not known. */
void play_words_place(const struct play_state *s, char out[PLAY_WORDS_MAX]);

#ifdef __cplusplus
}
#endif
#endif
