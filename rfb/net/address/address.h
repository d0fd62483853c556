/* Where a server is: HOST, HOST:DISPLAY, HOST::PORT, :DISPLAY, IPV6, [IPV6]:DISPLAY, [IPV6]::PORT,
 * vnc://HOST:PORT, or the path of a Unix socket (anything else with a '/'). Pure. */
#ifndef VNCHL_ADDRESS_H
#define VNCHL_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ADDRESS_BASE_PORT 5900

enum address_family { ADDRESS_ANY, ADDRESS_IPV4, ADDRESS_IPV6 };

struct address {
    char host[256];             /* name or number; empty for a Unix socket */
    uint16_t port;              /* TCP port; 0: none was named */
    bool port_given;            /* as a port, and is shown so; else as a display */
    char path[108];             /* Unix socket; empty for TCP */
    enum address_family family; /* how the host may be reached; address_parse() sets ADDRESS_ANY */
};

/* A number after one colon below 100 is a display (port 5900 + it), from 100 on a port. A reason
 * says what to write instead, also for what people type who have another program in mind. */
bool address_parse(struct address *a, const char *text, struct reason *why);

/* Writes the address as address_parse() takes it: HOST, HOST:DISPLAY, HOST::PORT where a port was
 * given, or the path. At most 270 bytes with the NUL. */
void address_format(const struct address *a, char *out, size_t size);

/* Writes a host in the one form that all its spellings share: 127.1, 0x7f.1 and ::ffff:127.0.0.1
 * are 127.0.0.1, FAR.example. is far.example. `size` of 256 holds every one. */
void address_canonical_host(const char *host, char *out, size_t size);

/* Whether a host is localhost, 127.0.0.1 or ::1, in any spelling. */
bool address_is_localhost(const char *host);

#ifdef __cplusplus
}
#endif
#endif
