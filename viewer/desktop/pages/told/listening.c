#include "viewer/desktop/pages/told/listening.h"

#include <stdio.h>

#include "rfb/net/sockets/own_address.h"
#include "rfb/texts/reason.h"

/* Addresses of this computer. Chosen: one that the server reaches is among them. */
#define LISTENING_SHOWN 4

/* "ONE or ANOTHER." */
static void listening_addresses(char *out, size_t size)
{
    char own[LISTENING_SHOWN][OWN_ADDRESS_TEXT];
    int count = own_address_list(own, LISTENING_SHOWN);
    size_t used = 0;

    *out = '\0';
    for (int i = 0; i < count && used < size; i++)
        used +=
            (size_t)snprintf(out + used, size - used, "%s%s", own[i], i + 1 < count ? " or " : ".");
}

void listening_words(const struct address *a, char *name, size_t size, char entered[LISTENING_MAX])
{
    const unsigned port = a->port;
    char own[LISTENING_SHOWN * (OWN_ADDRESS_TEXT + 4)];

    snprintf(name, size, "port %u", port);
    listening_addresses(own, sizeof own);
    if (*a->host)
        snprintf(entered, LISTENING_MAX, "At the server, connect to port %u of %s.", port, a->host);
    else if (*own)
        snprintf(entered, LISTENING_MAX, "At the server, connect to port %u of this computer: %s",
                 port, own);
    else
        snprintf(entered, LISTENING_MAX, "At the server, connect to port %u of this computer.",
                 port);
    sanitise(entered);
}
