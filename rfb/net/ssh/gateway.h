/* The machine that ssh goes through to a server (--via), or to (--ssh). Here it is only named and
 * checked; tunnel.h runs ssh.
 *
 * Pure. Names that come from outside end up as words of a command line, ours or one of ssh's own
 * (ProxyCommand). So only characters that mean nothing there are let through.
 */
#ifndef VNCHL_GATEWAY_H
#define VNCHL_GATEWAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the reason is where this computer has no ssh. */
#define GATEWAY_NO_SSH "ssh is not installed on this computer"

struct gateway {
    char host[256];     /* HOST or USER@HOST, as ssh takes it; empty: no gateway */
    uint16_t port;      /* of its ssh server; 0: what ssh's own configuration says */
    bool far_end;       /* vnchl-accel is started there, and leads on (rfb/net/ssh/far_end.h) */
    bool asks;          /* the proof for the server is left to the viewer there */
    unsigned keep_s;    /* so long the far end waits there for this program; 0: it ends with ssh */
    char command[1024]; /* a shell runs this instead of `ssh -W` (VNC_VIA_CMD); empty: none */
};

/* [USER@]HOST[:PORT]; an IPv6 address stands in brackets if a port follows. The rest is left
 * empty. */
bool gateway_parse(struct gateway *g, const char *text, struct reason *why);

/* Writes it as gateway_parse() takes it; without a host: nothing. */
void gateway_format(const struct gateway *g, char *out, size_t size);

/* Keeps VNC_VIA_CMD: %L, %H, %R and %G become ${L}, ${H}, ${R} and ${G}, which tunnel.h puts into
 * the environment. False when it is too long. */
bool gateway_set_command(struct gateway *g, const char *text, struct reason *why);

/* Whether a name of a host may stand on a command line. */
bool gateway_takes_host(const char *host);

#ifdef __cplusplus
}
#endif
#endif
