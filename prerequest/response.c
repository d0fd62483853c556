#include "prerequest/response.h"

void response_init(struct response *r)
{
    *r = (struct response){.since = TICK_NEVER};
}

void response_input(struct response *r, tick_t now)
{
    if (r->since == TICK_NEVER || now - r->since > RESPONSE_LIMIT)
        r->since = now;
}

void response_update(struct response *r, tick_t rtt, tick_t now)
{
    if (r->since == TICK_NEVER || now - r->since < rtt)
        return;
    if (now - r->since <= RESPONSE_LIMIT) {
        r->newest = now - r->since;
        r->at = now;
    }
    r->since = TICK_NEVER;
}

tick_t response_after(const struct response *r, tick_t since)
{
    return r->newest > 0 && r->at > since ? r->newest : 0;
}
