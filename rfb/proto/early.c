#include "rfb/proto/early.h"

#include <stdio.h>
#include <string.h>

static void add(struct early *e, const void *bytes, size_t size)
{
    if (size > 0)
        memcpy(e->bytes + e->size, bytes, size);
    e->size += size;
}

static void add_init(struct early *e, const struct early_plan *plan, bool shared)
{
    uint8_t init = shared;

    add(e, &init, 1);
    add(e, plan->ahead, plan->ahead_size);
}

void early_begin(struct early *e, const struct early_plan *plan, bool shared)
{
    uint8_t type = (uint8_t)plan->security;
    char version[16];

    e->size = e->said = 0;
    if (plan->minor == 0)
        return;
    add(e, version,
        (size_t)snprintf(version, sizeof version, "RFB 003.%03u\n", (unsigned)plan->minor % 1000));
    if (plan->minor >= 7) /* before that the server chooses */
        add(e, &type, 1);
    if (plan->security == SECURITY_NONE)
        add_init(e, plan, shared);
}

void early_prove(struct early *e, const struct early_plan *plan, bool shared, const void *proof,
                 size_t size)
{
    e->size = e->said = 0;
    add(e, proof, size);
    add_init(e, plan, shared);
}

enum early_match early_due(struct early *e, const void *bytes, size_t size)
{
    if (e->said == e->size)
        return EARLY_NOT;
    if (size > e->size - e->said || memcmp(e->bytes + e->said, bytes, size) != 0)
        return EARLY_OTHER;
    e->said += size;
    return EARLY_SAME;
}

bool early_is_ahead(const struct early *e, const struct early_plan *plan)
{
    return plan->ahead_size > 0 && e->size - e->said == plan->ahead_size;
}
