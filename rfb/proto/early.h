/* What a client says before the server has asked for it. A server that took the same the last time
 * is likely to take it again, and each answer that is not waited for saves a round trip.
 *
 * The handshake goes on as ever (rfb/proto/handshake.c). What it would write is compared with what
 * was said early: the same is not written again. Anything else shows that the server is not as it
 * was, and the connection has to be made anew. So nothing is ever taken for agreed that was not.
 *
 * Pure. Receiver thread.
 */
#ifndef VNCHL_EARLY_H
#define VNCHL_EARLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/proto/security.h"

#ifdef __cplusplus
extern "C" {
#endif

#define EARLY_AHEAD_MAX 384 /* bytes of the messages behind ClientInit */
#define EARLY_MAX       (32 + EARLY_AHEAD_MAX)

/* What the server took the last time. */
struct early_plan {
    int minor;                     /* RFB 3.minor: 3, 7 or 8; 0: nothing is said early */
    enum security_number security; /* SECURITY_NONE or SECURITY_VNC */
    /* Messages for behind ClientInit. The plan points to them. */
    const uint8_t *ahead;
    size_t ahead_size; /* EARLY_AHEAD_MAX at most */
};

struct early {
    size_t size, said; /* bytes that were written early; of them, those that were due since */
    uint8_t bytes[EARLY_MAX];
};

/* What to write as soon as the connection is made: the version and the type, and where that needs
 * no proof, ClientInit and the messages. */
void early_begin(struct early *e, const struct early_plan *plan, bool shared);

/* What to write when the proof is ready: the proof, ClientInit and the messages. */
void early_prove(struct early *e, const struct early_plan *plan, bool shared, const void *proof,
                 size_t size);

/* What the handshake is about to write. */
enum early_match {
    EARLY_NOT,  /* nothing is left of what was said early: it has to be written */
    EARLY_SAME, /* it was said already */
    EARLY_OTHER /* something else was */
};
enum early_match early_due(struct early *e, const void *bytes, size_t size);

/* Whether all was due but the messages behind ClientInit. */
bool early_is_ahead(const struct early *e, const struct early_plan *plan);

#ifdef __cplusplus
}
#endif
#endif
