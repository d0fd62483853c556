#include "tools/accelerator/connection/algorithm.h"

#include "tools/accelerator/connection/handover.h"

void algorithm_choose(const struct connection_host *host, struct exchange *x, struct outlet *outlet)
{
    if (host->options->paper) {
        exchange_follow_paper(x);
        outlet_fill(outlet);
        return;
    }
    outlet_learn(outlet);
    x->up.may_push = handover_possible(host);
}
