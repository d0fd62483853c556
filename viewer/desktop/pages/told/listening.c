#include "viewer/desktop/pages/told/listening.h"

#include <stdio.h>
#include <string.h>

#include "rfb/net/sockets/own_address.h"
#include "rfb/texts/reason.h"

/* Addresses of this computer. Chosen: one that the server reaches is among them. */
#define LISTENING_SHOWN 4

/* "ONE or ANOTHER." */
static void listening_addresses(enum address_family family, char *out, size_t size)
{
    char own[LISTENING_SHOWN][OWN_ADDRESS_TEXT];
    int count = own_address_list(family, own, LISTENING_SHOWN);
    size_t used = 0;

    *out = '\0';
    for (int i = 0; i < count && used < size; i++)
        used +=
            (size_t)snprintf(out + used, size - used, "%s%s", own[i], i + 1 < count ? " or " : ".");
}

void listening_words(const struct address *a, char *name, size_t size, char entered[LISTENING_MAX])
{
    const unsigned port = a->port;
    const bool v4 = strcmp(a->host, "0.0.0.0") == 0, v6 = strcmp(a->host, "::") == 0; /* all */
    char own[LISTENING_SHOWN * (OWN_ADDRESS_TEXT + 4)];

    snprintf(name, size, "port %u", port);
    listening_addresses(v4 ? ADDRESS_IPV4 : v6 ? ADDRESS_IPV6 : a->family, own, sizeof own);
    if (*a->host && !v4 && !v6)
        snprintf(entered, LISTENING_MAX, "At the server, connect to port %u of %s.", port, a->host);
    else if (*own)
        snprintf(entered, LISTENING_MAX, "At the server, connect to port %u of this computer: %s",
                 port, own);
    else
        snprintf(entered, LISTENING_MAX, "At the server, connect to port %u of this computer.",
                 port);
    sanitise(entered);
}
