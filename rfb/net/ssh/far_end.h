/* What stands at the far end of a way through ssh (--ssh): `vnchl-accel --once --stdio`, which
 * leads on to a VNC server of its own machine. Here is how it is started, and how it says that it
 * is there.
 *
 * A login shell may print before it. So it says FAR_END_GREETING first, and what comes before that
 * is skipped. The server's own bytes follow behind it.
 */
#ifndef VNCHL_FAR_END_H
#define VNCHL_FAR_END_H

#include "prerequest/tick.h"
#include "rfb/net/address/address.h"
#include "rfb/net/ssh/gateway.h"
#include "rfb/net/transport.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FAR_END_PROGRAM  "vnchl-accel"
#define FAR_END_MAGIC    "vnchl-accel stdio "
#define FAR_END_VERSION  "1"
#define FAR_END_GREETING FAR_END_MAGIC FAR_END_VERSION "\n"

/* Bytes that a login shell may print before. */
#define FAR_END_NOISE_MAX 65536

/* Hexadecimal digits of a token, by which a window finds its far end again. */
#define FAR_END_TOKEN 32

/* Bytes that hold every command, with the NUL. */
#define FAR_END_COMMAND_MAX 512

/* What a user has written: as address_parse() takes it, or a number alone, which counts as behind a
 * colon. NULL: whatever server of the user's own runs there; the address is localhost, port 0. */
bool far_end_address(struct address *a, const char *text, struct reason *why);

/* Whether the address may stand in a command, and is one of the far machine itself. */
bool far_end_takes(const struct address *a, struct reason *why);

/* What this process finds its far end by at this gateway, for this address: nobody else has it, and
 * it stays the same. Empty: there is no randomness. Any thread. */
void far_end_token(const struct gateway *g, const struct address *a, char out[FAR_END_TOKEN + 1]);

/* Writes the command that a shell of the far machine runs, any shell. far_end_takes() the address.
 * Of the gateway counts: `asks`, the server is to ask the viewer for its proof, also where the
 * user's password file there would do; `keep_s`. */
void far_end_command(const struct gateway *g, const struct address *a,
                     char out[FAR_END_COMMAND_MAX]);

/* How the wait for the greeting has ended. */
enum far_end_answer {
    FAR_END_THERE,  /* the server's bytes follow */
    FAR_END_SILENT, /* the connection has ended before; `why` holds the last line that was printed
                       instead, or is empty */
    FAR_END_FAILED, /* `why` says what is wrong */
};

/* Reads from the transport up to the end of the greeting, until `deadline`, or until `cancel_fd`
 * becomes readable. */
enum far_end_answer far_end_await(struct transport *t, tick_t deadline, int cancel_fd,
                                  struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
