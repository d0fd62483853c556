#include "prerequest/decide/window.h"

#include <math.h>

void window_init(struct window *w, int64_t tuned, int64_t allowed)
{
    *w = (struct window){.bytes = tuned, .allowed = allowed, .looked = TICK_NEVER};
}

int64_t window_look(struct window *w, int64_t received, tick_t rtt, tick_t now)
{
    tick_t since = w->looked == TICK_NEVER ? 0 : now - w->looked;
    double need = 0;

    /* within less than a round trip bytes come in bursts, of a window each */
    if (w->looked != TICK_NEVER && (since < TICK_S || since < rtt))
        return 0;
    if (since > 0)
        need = WINDOW_HEADROOM * (double)(received - w->received) * (double)rtt / (double)since;
    w->received = received;
    w->looked = now;
    if (need <= (double)w->bytes)
        return 0;
    w->wanted = (int64_t)fmin(WINDOW_STEP * need, (double)WINDOW_MAX);
    if (w->allowed <= w->bytes || w->wanted <= w->bytes)
        return 0;
    w->bytes = w->wanted < w->allowed ? w->wanted : w->allowed;
    return w->bytes;
}
