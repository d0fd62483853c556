#include "rfb/framing/handshake_framing.h"

void handshake_framing_begin(struct handshake_framing *h)
{
    *h = (struct handshake_framing){.state = HANDSHAKE_GOES_ON};
}

size_t handshake_framing_server(struct handshake_framing *h, const uint8_t *bytes, size_t size)
{
    h->state = HANDSHAKE_PLAIN;
    return 0;
}

size_t handshake_framing_client(struct handshake_framing *h, const uint8_t *bytes, size_t size)
{
    h->state = HANDSHAKE_PLAIN;
    return 0;
}

const char *handshake_framing_why(const struct handshake_framing *h)
{
    return "nothing is known yet";
}
