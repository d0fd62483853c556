#include "rfb/proto/handshake/early.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "rfb/proto/bytes.h"

static void early_add(struct early *e, const void *bytes, size_t size)
{
    assert(size <= sizeof e->bytes - e->size);
    if (size > 0)
        memcpy(e->bytes + e->size, bytes, size);
    e->size += size;
}

/* What was due is not needed any more. */
static void early_renew(struct early *e)
{
    if (e->said == e->size)
        e->size = e->written = e->said = 0;
}

static bool early_plans(const struct early *e)
{
    return e->plan && e->plan->minor > 0;
}

static void early_add_init(struct early *e)
{
    uint8_t init = e->plan->shared;

    early_add(e, &init, 1);
    early_add(e, e->plan->ahead, e->plan->ahead_size);
}

/* Version 0.2 and the subtype. */
static void early_add_vencrypt(struct early *e)
{
    uint8_t bytes[6] = {0, 2};

    put32(bytes + 2, e->plan->way->subtype);
    early_add(e, bytes, sizeof bytes);
}

void early_begin(struct early *e, const struct early_plan *plan)
{
    const struct security *way = plan->way;
    char version[16];
    uint8_t type;

    *e = (struct early){.plan = plan};
    if (!early_plans(e))
        return;
    early_add(
        e, version,
        (size_t)snprintf(version, sizeof version, "RFB 003.%03u\n", (unsigned)plan->minor % 1000));
    type = (uint8_t)way->type;
    if (plan->minor >= 7) /* before that the server chooses */
        early_add(e, &type, 1);
    if (way->type == SECURITY_VENCRYPT)
        early_add_vencrypt(e);
    if (way->channel == CHANNEL_CLEAR && way->proof == PROOF_NONE)
        early_add_init(e);
}

bool early_wants_hello(const struct early_plan *plan)
{
    return plan->minor > 0 && security_channel_is_tls(plan->way->channel) && !plan->hello_waits;
}

void early_add_hello(struct early *e, const void *hello, size_t size)
{
    early_add(e, hello, size);
}

void early_encrypted(struct early *e)
{
    uint8_t type;

    if (!early_plans(e))
        return;
    early_renew(e);
    type = (uint8_t)e->plan->way->subtype;
    if (e->plan->way->type == SECURITY_TLS)
        early_add(e, &type, 1);
    if (e->plan->way->proof == PROOF_NONE)
        early_add_init(e);
}

void early_proved(struct early *e)
{
    if (!early_plans(e))
        return;
    early_renew(e);
    early_add_init(e);
}

size_t early_take(struct early *e, const uint8_t **bytes)
{
    size_t size = e->size - e->written;

    *bytes = e->bytes + e->written;
    e->written = e->size;
    return size;
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

bool early_is_ahead(const struct early *e)
{
    return early_plans(e) && e->plan->ahead_size > 0 && e->size - e->said == e->plan->ahead_size;
}
