/* The handshake of RFB 3.3, where the server chooses the security type.
 *
 * libvncclient would follow it into types whose code a hostile server can crash, so this one is
 * ours: None and VNC authentication, nothing else. Receiver thread.
 */
#ifndef VNCHL_RFB33_H
#define VNCHL_RFB33_H

#include <stdbool.h>
#include <stdint.h>

#include "rfb/client.h"

#ifdef __cplusplus
extern "C" {
#endif

struct server_init {
    uint32_t security; /* 1: None, 2: VNC authentication */
    int width, height;
    char *name; /* malloc'ed */
};

/* Whether a server with this greeting has to be spoken to in RFB 3.3. */
bool rfb33_wanted(const char *greeting);

/* From the answer to the greeting, which has been read, to ServerInit. `password` returns a
 * malloc'ed one, or NULL with a reason. */
bool rfb33_handshake(struct client *c, bool shared,
                     char *(*password)(struct client *c, struct reason *why),
                     struct server_init *init, struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
