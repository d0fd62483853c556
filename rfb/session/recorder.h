/* A session that is recorded (rfb/net/recording/recording.h): what its server sends, as it comes;
 * or, where the pictures do not come as RFB's messages, the pictures, as updates that any player
 * understands.
 *
 * The receiver begins and adds. The other functions are for any thread. It has a lock of its own.
 */
#ifndef VNCHL_RECORDER_H
#define VNCHL_RECORDER_H

#include <stdbool.h>

#include "rfb/decode/framebuffer.h"
#include "rfb/net/recording/recording.h"
#include "rfb/region.h"
#include "rfb/session/events.h"

#ifdef __cplusplus
extern "C" {
#endif

struct recorder;
struct stream;

/* `recording` NULL: nothing is recorded. `events` must outlive the recorder. NULL when out of
 * memory. */
struct recorder *recorder_create(struct recording *recording, struct events *events);
void recorder_destroy(struct recorder *r);

/* A part of the recording begins, with a picture of this size, before anything is read after the
 * handshake. What comes through `stream` is recorded from now on; NULL: pictures are. */
void recorder_begin(struct recorder *r, int width, int height, const char *name,
                    struct stream *stream);

/* Where pictures are recorded: this part of the private picture is new; the picture is a whole one
 * again; it has another size. Else nothing happens. */
void recorder_drawn(struct recorder *r, struct rect part);
void recorder_shown(struct recorder *r, struct framebuffer *fb);
void recorder_resized(struct recorder *r, int width, int height);

/* Notices when the recording has failed, and tells the user. */
void recorder_look(struct recorder *r);

/* Whether what comes is recorded now. */
bool recorder_is_on(struct recorder *r);

#ifdef __cplusplus
}
#endif
#endif
