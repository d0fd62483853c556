/* Starts the processes that push blocks (rfb/pusher/pusher.h). The accelerator itself may start no
 * program once it is confined. So a process of its own, begun before, does it when it is asked to.
 * It knows nothing of any client.
 *
 * Where such a process is to be kept for a viewer that comes again, the spawner becomes its keeper
 * (tools/accelerator/push/keeper.h).
 */
#ifndef VNCHL_ACCELERATOR_SPAWNER_H
#define VNCHL_ACCELERATOR_SPAWNER_H

#include <stdbool.h>

#include "rfb/framing/handshake_framing.h"
#include "rfb/net/far_end.h"
#include "rfb/proto/server_messages.h"
#include "rfb/reason.h"
#include "tools/accelerator/push/keeper.h"

#ifdef __cplusplus
extern "C" {
#endif

struct spawner {
    int fd; /* to its process; -1: there is none */
};

/* How a server's picture is to be pushed. */
struct spawner_push {
    bool near;         /* the server is a process of this machine */
    int width, height; /* of its screen */
    char congestion[ACCELERATOR_CONGESTION];
    bool octopus;         /* the policy (prerequest/push/octopus.h), */
    unsigned interval_ms; /* with this U; 0: it follows the bandwidth */
    unsigned keep_s;      /* it is kept so long for the next viewer with the token; 0: it is not */
    char token[FAR_END_TOKEN + 1];
    struct keeper_way way;
    char name[HANDSHAKE_NAME_MAX + 1]; /* of the server */
};

/* Begins its process. Before this process has another thread. False, with a reason: nothing can be
 * pushed; `fd` is -1 then. */
bool spawner_begin(struct spawner *s, struct reason *why);
void spawner_end(struct spawner *s);
/* The same, and what is kept ends, too. */
void spawner_end_all(struct spawner *s);

/* Whether its process is still there. */
bool spawner_lives(const struct spawner *s);

/* Starts a process for these two connections, with a door (rfb/pusher/words.h) unless that is -1.
 * All stay the caller's, to be closed by it. False: the spawner has gone. When the program cannot
 * be started, all of them end. */
bool spawner_push(struct spawner *s, const struct spawner_push *how, int server, int viewer,
                  int door);

#ifdef __cplusplus
}
#endif
#endif
