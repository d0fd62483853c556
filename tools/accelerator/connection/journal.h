/* What the log is told about one connection: lines of tools/accelerator/events.h with its number
 * and its client's address. Only the loop's thread.
 */
#ifndef VNCHL_ACCELERATOR_JOURNAL_H
#define VNCHL_ACCELERATOR_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "prerequest/tick.h"
#include "tools/accelerator/connection/greeting.h"
#include "tools/accelerator/connection/targets.h"
#include "tools/accelerator/transport/cipher.h"
#include "tools/accelerator/transport/leg.h"

#ifdef __cplusplus
extern "C" {
#endif

struct journal {
    uint64_t id;
    char client[64];
    tick_t begun;
};

void journal_init(struct journal *j, uint64_t id, const struct sockaddr_storage *peer, tick_t now);

/* How a session stands when its handshake is over. */
struct journal_standing {
    const struct cipher *client, *server; /* TLS with each of them; NULL: none */
    bool accelerated;
    bool certificate;       /* clients are offered one, so one without encryption is told of */
    const char *congestion; /* of the client's socket; empty: it is not TCP's */
};
void journal_session(const struct journal *j, const struct greeting *g,
                     const struct journal_standing *standing);

/* Blocks are pushed to it from now on. */
void journal_pushed(const struct journal *j);

/* It goes on as it would without the accelerator: because of this security type; because of what
 * was said by this side ("client", "server"), if `why` is given; returns that. */
void journal_cannot_follow(const struct journal *j, uint32_t security, const char *why);
bool journal_lost(const struct journal *j, const char *side, const char *why);

/* The client changes its pixel format while so many updates are on their way to it. */
void journal_format_ahead(const struct journal *j, unsigned updates);

/* A server without a password can be reached by other machines: said once for each server. NULL:
 * others cannot. */
void journal_no_password(const struct greeting *g, struct target *server);

/* It ends. `server`: NULL when there was none. */
void journal_end(const struct journal *j, const struct target *server, uint64_t bytes,
                 uint64_t updates, tick_t now, const char *why);

#ifdef __cplusplus
}
#endif
#endif
