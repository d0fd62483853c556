#include "rfb/pusher/update_parts.h"

#include "rfb/decode/framebuffer.h"

void update_parts_add(struct update_parts *p, const struct update_part *part)
{
    static const struct rect all = {0, 0, FRAMEBUFFER_MAX_SIDE, FRAMEBUFFER_MAX_SIDE};

    if (p->count < UPDATE_PARTS)
        p->part[p->count++] = *part;
    else
        p->part[UPDATE_PARTS - 1] = (struct update_part){.area = all};
}
