/* A recording of what a server sends, with times, in FBS files (rfb/net/recording/fbs.h).
 *
 * An FBS file holds one connection. So each connection is a part with a file of its own: FILE, then
 * FILE.2, FILE.3 and so on. A part begins with a handshake that any player understands: RFB 3.3
 * without authentication. What the real handshake said is not in it.
 *
 * The owner creates and closes the recording. The receiver threads of sessions begin parts and add
 * bytes; they keep a reference, so a receiver that outlives its session can still hold the
 * recording. The disk is written by other threads (rfb/net/recording/file_writer.h). What cannot be
 * written ends the recording, and nothing else.
 */
#ifndef VNCHL_RECORDING_H
#define VNCHL_RECORDING_H

#include <stdbool.h>
#include <stddef.h>

#include "prerequest/tick.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

struct recording;

/* Creates the file, with mode 0600. It must not exist. NULL with a reason. */
struct recording *recording_create(const char *file, struct reason *why);

/* Hands on what is recorded, to who writes it. Any thread; never called again after a release. */
struct recording_sink {
    void (*begin)(void *user, const void *server_init, size_t size);
    void (*add)(void *user, const void *bytes, size_t size);
    void *user;
};

/* A recording of one part that writes nothing itself. NULL when out of memory. */
struct recording *recording_relay(const struct recording_sink *sink);

/* A connection is established. `server_init` is the message ServerInit, with the pixel format in
 * which the server will send. Ends the part before. Returns the number of the part, from 1; 0: the
 * recording has failed. */
unsigned recording_begin(struct recording *r, const void *server_init, size_t size, tick_t now);

/* Adds what the server has sent after that. Does nothing once another part has begun, or the
 * recording is closed or has failed. Never waits for the disk. */
void recording_add(struct recording *r, unsigned part, const void *bytes, size_t size, tick_t now);

/* Whether something could not be written: then the recording has ended. `why` is a sentence for the
 * user. */
bool recording_failed(struct recording *r, struct reason *why);

/* Another reference. */
struct recording *recording_share(struct recording *r);

/* Gives a reference back; the last one frees. Safe on NULL. */
void recording_release(struct recording *r);

/* For the owner, instead of recording_release(): waits until all is written. A file without a
 * connection is removed. False with a reason if something could not be written. True for NULL. */
bool recording_close(struct recording *r, struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
