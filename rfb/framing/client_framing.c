#include "rfb/framing/client_framing.h"

void client_framing_begin(struct client_framing *f)
{
    *f = (struct client_framing){.extended_buttons = false};
}

size_t client_framing_read(struct client_framing *f, const uint8_t *bytes, size_t size,
                           struct client_frame *found)
{
    *found = (struct client_frame){.event = CLIENT_FRAME_UNKNOWN};
    return 0;
}

bool client_framing_between(const struct client_framing *f)
{
    return false;
}

const char *client_framing_why(const struct client_framing *f)
{
    return "nothing is known yet";
}
