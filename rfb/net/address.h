/* Where a server is: HOST, HOST:DISPLAY, HOST::PORT, :DISPLAY, [IPV6]:DISPLAY, [IPV6]::PORT,
 * vnc://HOST:PORT, or the path of a Unix socket (anything else with a '/'). */
#ifndef VNCHL_ADDRESS_H
#define VNCHL_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "rfb/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ADDRESS_BASE_PORT 5900

struct address {
    char host[256]; /* name or number; empty for a Unix socket */
    uint16_t port;  /* TCP port */
    char path[108]; /* Unix socket; empty for TCP */
};

/* A number after one colon below 100 is a display (port 5900 + it), from 100 on a port. Looks
 * at the file system only to tell another viewer's connection file from a socket or a host. */
bool address_parse(struct address *a, const char *text, struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
