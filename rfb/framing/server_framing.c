#include "rfb/framing/server_framing.h"

void server_framing_begin(struct server_framing *f, const struct pixel_format *format, int width,
                          int height)
{
    *f = (struct server_framing){.format = *format, .width = width, .height = height};
}

void server_framing_set_format(struct server_framing *f, const struct pixel_format *format)
{
    f->format = *format;
}

size_t server_framing_read(struct server_framing *f, const uint8_t *bytes, size_t size,
                           struct server_frame *found)
{
    *found = (struct server_frame){.event = SERVER_FRAME_UNKNOWN};
    return 0;
}

bool server_framing_between(const struct server_framing *f)
{
    return false;
}

const char *server_framing_why(const struct server_framing *f)
{
    return "nothing is known yet";
}

bool server_framing_knows(int32_t encoding)
{
    return false;
}
