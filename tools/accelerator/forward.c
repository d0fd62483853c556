#include "tools/accelerator/forward.h"

void forward_ended(struct forward *f, uint64_t end)
{
    f->ended = end;
    f->too_large = false;
}

size_t forward_room(struct forward *f, uint64_t come, uint64_t left, size_t most)
{
    size_t held = (size_t)(come - left);

    if (!f->whole)
        return held;
    /* Whole messages in front of it leave first, and make room. */
    if (f->ended <= left && held >= most)
        f->too_large = true;
    if (f->too_large)
        return held;
    return f->ended > left ? (size_t)(f->ended - left) : 0;
}
