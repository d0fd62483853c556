#include "viewer/desktop/pages/told/listening.h"

#include <stdio.h>

#include "rfb/net/sockets/own_address.h"
#include "rfb/texts/reason.h"

void listening_words(const struct address *a, char *name, size_t size, char entered[LISTENING_MAX])
{
    const unsigned port = a->port;
    char own[OWN_ADDRESS_NAMES];

    snprintf(name, size, "port %u", port);
    if (!own_address_names(a, own))
        snprintf(entered, LISTENING_MAX, "At the server, connect to port %u of %s.", port, a->host);
    else
        snprintf(entered, LISTENING_MAX, "At the server, connect to port %u of this computer%s%s.",
                 port, *own ? ": " : "", own);
    sanitise(entered);
}
