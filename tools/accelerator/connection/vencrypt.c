#include "tools/accelerator/connection/vencrypt.h"

#include <string.h>

#include "rfb/proto/bytes.h"

#define VERSION_BYTES 2
#define TYPE_BYTES    4

/* What comes next, from whom the name says. */
enum vencrypt_step {
    SERVER_VERSION,
    SERVER_VERSION_ANSWER,
    SERVER_COUNT,
    SERVER_TYPES,
    CLIENT_VERSION,
    CLIENT_TYPE,
    SERVER_TYPE_ANSWER,
    SERVER_TLS,
    CLIENT_TLS,
    VENCRYPT_OVER,
    VENCRYPT_PASSED,
};

/* What a step makes of the bytes. */
enum vencrypt_progress { STEP_WAITS, STEP_GOES_ON, STEP_FAILED };

static enum vencrypt_progress vencrypt_fail(struct vencrypt *v, const char *why, uint32_t number)
{
    reason_set(&v->why, why, number);
    return STEP_FAILED;
}

/* ---- what is offered, and taken ---- */

/* The way that has this number as a type (`type` is 0), or inside of that type; NULL: unknown. */
static const struct security *vencrypt_way(enum security_number type, uint32_t number)
{
    return security_choose(~(security_set)0, type, &number, 1);
}

static const struct security *vencrypt_known_way(const struct vencrypt *v, unsigned i)
{
    return vencrypt_way(SECURITY_VENCRYPT, v->plan.known->subtypes[i]);
}

static void vencrypt_learn(struct vencrypt *v, uint32_t subtype)
{
    struct vencrypt_known *k = v->plan.known;

    if (vencrypt_way(SECURITY_VENCRYPT, subtype) && k->count < VENCRYPT_HAS_MAX)
        k->subtypes[k->count++] = subtype;
}

static const struct security *vencrypt_beside(const struct vencrypt *v, enum security_proof proof)
{
    for (unsigned i = 0; i < v->beside_count; i++)
        if (v->beside[i]->proof == proof)
            return v->beside[i];
    return NULL;
}

static const struct security *
vencrypt_inside(const struct vencrypt *v, enum security_channel channel, enum security_proof proof)
{
    for (unsigned i = 0; i < v->plan.known->count; i++) {
        const struct security *way = vencrypt_known_way(v, i);

        if (way->channel == channel && way->proof == proof)
            return way;
    }
    return NULL;
}

/* What is taken at the server for a client with this channel and proof: what has no TLS, else the
 * same as the client's, else anything with this proof. NULL: the server does not have it. */
static const struct security *
vencrypt_behind(const struct vencrypt *v, enum security_channel channel, enum security_proof proof)
{
    const enum security_channel tries[] = {CHANNEL_CLEAR, channel, CHANNEL_ANONYMOUS,
                                           CHANNEL_CERTIFICATE};
    const struct security *way = NULL;

    if (v->plan.pinned)
        return vencrypt_inside(v, CHANNEL_CERTIFICATE, proof);
    if (!v->asks)
        way = vencrypt_beside(v, proof);
    if (v->alone)
        return way;
    for (size_t i = 0; !way && i < sizeof tries / sizeof *tries; i++)
        way = vencrypt_inside(v, tries[i], proof);
    return way;
}

static bool vencrypt_offers(const struct vencrypt *v, uint32_t subtype)
{
    for (unsigned i = 0; i < v->offered_count; i++)
        if (v->offered[i] == subtype)
            return true;
    return false;
}

static void vencrypt_offer(struct vencrypt *v, enum security_channel channel,
                           enum security_proof proof)
{
    /* as enum security_proof counts; 0: VeNCrypt does not have it */
    static const uint32_t subtypes[CHANNEL_COUNT][PROOF_COUNT] = {
        [CHANNEL_CLEAR] = {SECURITY_NONE, SECURITY_VNC, VENCRYPT_PLAIN},
        [CHANNEL_ANONYMOUS] = {VENCRYPT_TLS_NONE, VENCRYPT_TLS_VNC, VENCRYPT_TLS_PLAIN},
        [CHANNEL_CERTIFICATE] = {VENCRYPT_X509_NONE, VENCRYPT_X509_VNC, VENCRYPT_X509_PLAIN}};
    _Static_assert(CHANNEL_COUNT == 5 && PROOF_COUNT == 4, "all that VeNCrypt has stands here");
    uint32_t subtype = subtypes[channel][proof];

    if (subtype && vencrypt_behind(v, channel, proof) && !vencrypt_offers(v, subtype))
        v->offered[v->offered_count++] = subtype;
}

static void vencrypt_make_offer(struct vencrypt *v)
{
    unsigned count = v->alone ? 0 : v->plan.known->count;

    for (unsigned i = 0; i < v->beside_count && v->alone; i++)
        vencrypt_offer(v, CHANNEL_CERTIFICATE, v->beside[i]->proof);
    for (unsigned i = 0; i < count; i++)
        vencrypt_offer(v, vencrypt_known_way(v, i)->channel, vencrypt_known_way(v, i)->proof);
    for (unsigned i = 0; i < count && v->plan.certificate; i++)
        vencrypt_offer(v, CHANNEL_CERTIFICATE, vencrypt_known_way(v, i)->proof);
}

/* ---- what is said ---- */

static bool vencrypt_tell_client(struct down *d, const void *bytes, size_t size, tick_t now)
{
    return down_take(d, bytes, size, now) != DOWN_NO_MEMORY;
}

static enum vencrypt_progress vencrypt_goes_on(struct vencrypt *v, bool had_memory,
                                               enum vencrypt_step step)
{
    if (!had_memory)
        return vencrypt_fail(v, "out of memory", 0);
    v->step = (uint8_t)step;
    return STEP_GOES_ON;
}

static const uint8_t version[VERSION_BYTES] = {0, 2};

static enum vencrypt_progress vencrypt_greet_client(struct vencrypt *v, struct down *d, tick_t now)
{
    vencrypt_make_offer(v);
    if (v->offered_count == 0)
        return vencrypt_fail(v,
                             v->plan.pinned
                                 ? "the server has lost its TLS with a certificate, which "
                                   "server-key asks for"
                                 : "the server offers nothing inside VeNCrypt that is known",
                             0);
    return vencrypt_goes_on(v, vencrypt_tell_client(d, version, sizeof version, now),
                            CLIENT_VERSION);
}

static enum vencrypt_progress vencrypt_name_offer(struct vencrypt *v, struct down *d, tick_t now)
{
    uint8_t message[2 + TYPE_BYTES * VENCRYPT_OFFERED_MAX] = {0, v->offered_count},
                                     *at = message + 2;

    for (unsigned i = 0; i < v->offered_count; i++)
        at = put32(at, v->offered[i]);
    return vencrypt_goes_on(v, vencrypt_tell_client(d, message, (size_t)(at - message), now),
                            CLIENT_TYPE);
}

/* The client has to wait no longer for TLS, or for what follows without. */
static enum vencrypt_progress vencrypt_confirm(struct vencrypt *v, struct down *d, tick_t now)
{
    static const uint8_t yes = 1;

    if (v->client->channel == CHANNEL_CLEAR)
        return vencrypt_goes_on(v, true, VENCRYPT_OVER);
    return vencrypt_goes_on(v, vencrypt_tell_client(d, &yes, 1, now), CLIENT_TLS);
}

bool vencrypt_tls_failed(struct vencrypt *v, struct down *d, tick_t now)
{
    static const uint8_t no = 0;

    return v->step != SERVER_TLS || v->client->channel == CHANNEL_CLEAR ||
           vencrypt_tell_client(d, &no, 1, now);
}

/* The server is told that VeNCrypt is wanted. */
static enum vencrypt_progress vencrypt_ask(struct vencrypt *v, struct up *u)
{
    static const uint8_t type = SECURITY_VENCRYPT;

    v->asks = true;
    return vencrypt_goes_on(v, bytes_append(&u->out, &type, 1), SERVER_VERSION);
}

/* The server hears which of its subtypes is wanted. */
static enum vencrypt_progress vencrypt_choose_inside(struct vencrypt *v, struct down *d,
                                                     struct up *u, tick_t now)
{
    uint8_t subtype[TYPE_BYTES];
    bool told;

    put32(subtype, v->server->subtype);
    told = bytes_append(&u->out, subtype, sizeof subtype);
    if (!told || v->server->channel != CHANNEL_CLEAR)
        return vencrypt_goes_on(v, told, SERVER_TYPE_ANSWER);
    return vencrypt_confirm(v, d, now);
}

/* The server hears the client's own choice, and answers it. */
static enum vencrypt_progress vencrypt_pass(struct vencrypt *v, struct up *u)
{
    uint8_t subtype[TYPE_BYTES];

    put32(subtype, v->client->subtype);
    return vencrypt_goes_on(v, bytes_append(&u->out, subtype, sizeof subtype), VENCRYPT_PASSED);
}

/* What the client has chosen is taken at the server: beside VeNCrypt, or inside of it. */
static enum vencrypt_progress vencrypt_choose(struct vencrypt *v, struct down *d, struct up *u,
                                              tick_t now)
{
    uint8_t type;

    if (v->plan.passes && v->client->channel == CHANNEL_CERTIFICATE)
        return vencrypt_pass(v, u);
    v->server = vencrypt_behind(v, v->client->channel, v->client->proof);
    if (!v->server)
        return vencrypt_fail(v, "the server no longer has what the client has chosen", 0);
    type = (uint8_t)v->server->type;
    if (v->asks)
        return vencrypt_choose_inside(v, d, u, now);
    if (type == SECURITY_VENCRYPT)
        return vencrypt_ask(v, u);
    return bytes_append(&u->out, &type, 1) ? vencrypt_confirm(v, d, now)
                                           : vencrypt_fail(v, "out of memory", 0);
}

/* ---- what is heard ---- */

static enum vencrypt_progress vencrypt_hear_version(struct vencrypt *v, const uint8_t *bytes,
                                                    struct up *u)
{
    if (bytes[0] == 0 && bytes[1] < 2)
        return vencrypt_fail(v, "the server has VeNCrypt 0.%u: 0.2 is needed", bytes[1]);
    return vencrypt_goes_on(v, bytes_append(&u->out, version, sizeof version),
                            SERVER_VERSION_ANSWER);
}

static enum vencrypt_progress vencrypt_hear_count(struct vencrypt *v, uint8_t count)
{
    v->subtypes = count;
    if (count == 0)
        return vencrypt_fail(v, "the server offers nothing inside VeNCrypt", 0);
    return vencrypt_goes_on(v, true, SERVER_TYPES);
}

static enum vencrypt_progress vencrypt_hear_types(struct vencrypt *v, const uint8_t *bytes,
                                                  struct down *d, struct up *u, tick_t now)
{
    v->plan.known->count = 0;
    for (unsigned i = 0; i < v->subtypes; i++)
        vencrypt_learn(v, get32(bytes + TYPE_BYTES * i));
    return v->client ? vencrypt_choose(v, d, u, now) : vencrypt_greet_client(v, d, now);
}

static enum vencrypt_progress vencrypt_hear_client(struct vencrypt *v, const uint8_t *bytes,
                                                   struct down *d, tick_t now)
{
    static const uint8_t no = 255;

    if (bytes[0] == version[0] && bytes[1] == version[1])
        return vencrypt_name_offer(v, d, now);
    vencrypt_tell_client(d, &no, 1, now);
    return vencrypt_fail(v, "the client wants another version of VeNCrypt than 0.2", 0);
}

static enum vencrypt_progress vencrypt_hear_choice(struct vencrypt *v, uint32_t subtype,
                                                   struct down *d, struct up *u, tick_t now)
{
    if (!vencrypt_offers(v, subtype))
        return vencrypt_fail(v, "the client wants type %u of VeNCrypt, which was not offered",
                             subtype);
    v->client = vencrypt_way(SECURITY_VENCRYPT, subtype);
    return vencrypt_choose(v, d, u, now);
}

/* ---- steps ---- */

static size_t vencrypt_wants(const struct vencrypt *v)
{
    switch ((enum vencrypt_step)v->step) {
    case SERVER_VERSION:
    case CLIENT_VERSION:
        return VERSION_BYTES;
    case SERVER_TYPES:
        return (size_t)TYPE_BYTES * v->subtypes;
    case CLIENT_TYPE:
        return TYPE_BYTES;
    default:
        return 1;
    }
}

static enum vencrypt_progress vencrypt_hear(struct vencrypt *v, const uint8_t *bytes,
                                            struct down *d, struct up *u, tick_t now)
{
    switch ((enum vencrypt_step)v->step) {
    case SERVER_VERSION:
        return vencrypt_hear_version(v, bytes, u);
    case SERVER_VERSION_ANSWER:
        if (bytes[0] != 0)
            return vencrypt_fail(v, "the server does not go on with VeNCrypt 0.2", 0);
        return vencrypt_goes_on(v, true, SERVER_COUNT);
    case SERVER_COUNT:
        return vencrypt_hear_count(v, bytes[0]);
    case SERVER_TYPES:
        return vencrypt_hear_types(v, bytes, d, u, now);
    case CLIENT_VERSION:
        return vencrypt_hear_client(v, bytes, d, now);
    case CLIENT_TYPE:
        return vencrypt_hear_choice(v, get32(bytes), d, u, now);
    case SERVER_TYPE_ANSWER:
        v->step = SERVER_TLS;
        return bytes[0] == 1 ? STEP_GOES_ON : vencrypt_fail(v, "the server cannot begin TLS", 0);
    default:
        return STEP_WAITS;
    }
}

/* Hears one thing, if all of it has come. */
static enum vencrypt_progress vencrypt_step(struct vencrypt *v, struct down *d, struct up *u,
                                            tick_t now)
{
    bool of_client = v->step == CLIENT_VERSION || v->step == CLIENT_TYPE;
    struct bytes_held *in = of_client ? &u->in : &d->in;
    size_t size = vencrypt_wants(v);
    enum vencrypt_progress progress;

    if (v->step >= SERVER_TLS || in->size < size)
        return STEP_WAITS;
    progress = vencrypt_hear(v, bytes_first(in), d, u, now);
    bytes_take(in, size);
    return progress;
}

/* ---- the interface ---- */

void vencrypt_begin(struct vencrypt *v, const struct vencrypt_plan *plan, const uint8_t *types,
                    size_t count)
{
    *v = (struct vencrypt){.plan = *plan, .step = SERVER_VERSION};
    v->alone = !memchr(types, SECURITY_VENCRYPT, count);
    for (size_t i = 0; i < count && v->beside_count < 2; i++)
        if (types[i] == SECURITY_NONE || types[i] == SECURITY_VNC)
            v->beside[v->beside_count++] = vencrypt_way((enum security_number)0, types[i]);
}

static enum vencrypt_progress vencrypt_open(struct vencrypt *v, struct down *d, struct up *u,
                                            tick_t now)
{
    /* what is passed on is said inside of the server's own VeNCrypt */
    bool known = v->plan.known->count > 0 && !v->plan.passes;

    v->begun = true;
    return v->alone || known ? vencrypt_greet_client(v, d, now) : vencrypt_ask(v, u);
}

enum vencrypt_answer vencrypt_go_on(struct vencrypt *v, struct down *d, struct up *u, tick_t now)
{
    enum vencrypt_progress progress = v->begun ? STEP_GOES_ON : vencrypt_open(v, d, u, now);

    while (progress == STEP_GOES_ON)
        progress = vencrypt_step(v, d, u, now);
    if (progress == STEP_FAILED) {
        vencrypt_tls_failed(v, d, now);
        return VENCRYPT_FAILED;
    }
    switch ((enum vencrypt_step)v->step) {
    case SERVER_TLS:
        return VENCRYPT_TLS_SERVER;
    case CLIENT_TLS:
        return VENCRYPT_TLS_CLIENT;
    case VENCRYPT_OVER:
        return VENCRYPT_DONE;
    case VENCRYPT_PASSED:
        return VENCRYPT_PASSES;
    default:
        return VENCRYPT_WAITS;
    }
}

bool vencrypt_tls_begun(struct vencrypt *v, struct down *d, tick_t now)
{
    if (v->step == SERVER_TLS)
        return vencrypt_confirm(v, d, now) == STEP_GOES_ON;
    v->step = VENCRYPT_OVER;
    return true;
}

uint32_t vencrypt_proof(const struct vencrypt *v)
{
    static const uint32_t proofs[] = {SECURITY_NONE, SECURITY_VNC, VENCRYPT_PLAIN};

    return proofs[v->client->proof];
}
