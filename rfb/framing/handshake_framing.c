#include "rfb/framing/handshake_framing.h"

#include <stdio.h>
#include <string.h>

#include "rfb/proto/bytes.h"
#include "rfb/proto/handshake/apple_login.h"
#include "rfb/proto/handshake/vncauth.h"

#define GREETING_BYTES    12
#define NUMBER_BYTES      4
#define SERVER_INIT_HEAD  (8 + PIXEL_FORMAT_BYTES)
#define CAPABILITY_BYTES  16 /* Tight: describes a tunnel, a type, a message or an encoding */
#define CAPABILITIES_HEAD 8  /* Tight: three numbers of them, and padding */
#define NO_TUNNEL         0
#define PLAIN_HEAD        8    /* two lengths, of the user's name and of the password */
#define PLAIN_MAX         4096 /* bytes of each */

/* What comes next from the server. Those with "after" have no head: they wait until the client has
 * said what it says there. */
enum server_step {
    SERVER_GREETING,
    SERVER_AFTER_VERSION,
    SERVER_TYPE, /* RFB 3.3: the server chooses */
    SERVER_TYPES,
    SERVER_ONE_TYPE,
    SERVER_AFTER_TYPE,
    SERVER_TUNNELS,
    SERVER_AFTER_TUNNEL,
    SERVER_WAYS, /* Tight: the types inside of it */
    SERVER_AFTER_WAY,
    SERVER_DH, /* Apple's login: how long the numbers are */
    SERVER_RESULT,
    SERVER_INIT,
    SERVER_CAPABILITIES,
    SERVER_END,
};

/* The same for the client, which waits for the server. */
enum client_step {
    CLIENT_VERSION,
    CLIENT_AFTER_TYPE,
    CLIENT_AFTER_TYPES, /* where VeNCrypt is ended: what the server has decides how */
    CLIENT_TYPE,
    CLIENT_AFTER_TUNNELS,
    CLIENT_TUNNEL,
    CLIENT_AFTER_WAYS,
    CLIENT_WAY,
    CLIENT_PLAIN,
    CLIENT_AFTER_DH,
    CLIENT_INIT,
};

static void handshake_framing_await_server(struct handshake_framing *h, uint64_t skip,
                                           enum server_step step, size_t want)
{
    h->server_step = (uint8_t)step;
    intake_expect(&h->server, skip, want);
}

static void await_client(struct handshake_framing *h, uint64_t skip, enum client_step step,
                         size_t want)
{
    h->client_step = (uint8_t)step;
    intake_expect(&h->client, skip, want);
}

static void handshake_framing_fail(struct handshake_framing *h, const char *why)
{
    h->state = HANDSHAKE_FAILED;
    reason_set(&h->why, "%s", why);
}

static void handshake_framing_refuse(struct handshake_framing *h)
{
    h->refused = true;
    handshake_framing_fail(h, "the server refuses the connection");
}

static void follow_no_more(struct handshake_framing *h, const char *what, uint32_t number)
{
    h->state = HANDSHAKE_PLAIN;
    reason_set(&h->why, "%s %u", what, number);
}

/* "RFB 003.008": false when it is no version. */
static bool read_version(const struct intake *in, int *major, int *minor)
{
    char text[GREETING_BYTES + 1];

    snprintf(text, sizeof text, "%.*s", GREETING_BYTES, (const char *)in->head);
    return sscanf(text, "RFB %3d.%3d", major, minor) == 2;
}

/* What a type of security brings: the server's side. */
static void prove_to_server(struct handshake_framing *h, uint32_t type)
{
    if (type == SECURITY_VNC)
        handshake_framing_await_server(h, VNCAUTH_CHALLENGE, SERVER_RESULT, NUMBER_BYTES);
    else if (type == SECURITY_DH)
        handshake_framing_await_server(h, 0, SERVER_DH, APPLE_LOGIN_HEAD);
    else if (h->minor == 8)
        handshake_framing_await_server(h, 0, SERVER_RESULT, NUMBER_BYTES);
    else /* nothing was proved, and the older versions confirm nothing then */
        handshake_framing_await_server(h, 0, SERVER_INIT, SERVER_INIT_HEAD);
}

/* The client's side of it. */
static void handshake_framing_prove(struct handshake_framing *h, uint32_t type)
{
    await_client(h, type == SECURITY_VNC ? VNCAUTH_CHALLENGE : 0, CLIENT_INIT, 1);
}

/* Whether Tight may have it inside, and RFB 3.3. */
static bool is_followed(uint32_t type)
{
    return type == SECURITY_NONE || type == SECURITY_VNC;
}

/* ---- the server ---- */

static void handshake_framing_greeting(struct handshake_framing *h)
{
    int major, minor;

    if (read_version(&h->server, &major, &minor))
        handshake_framing_await_server(h, 0, SERVER_AFTER_VERSION, 0);
    else
        handshake_framing_fail(h, "the server does not speak RFB");
}

static void server_type(struct handshake_framing *h, uint32_t type)
{
    if (type == SECURITY_FAILED) {
        handshake_framing_refuse(h);
        return;
    }
    h->security = type;
    if (is_followed(type))
        prove_to_server(h, type);
    else
        follow_no_more(h, "security type", type);
}

static void server_types(struct handshake_framing *h, uint8_t count)
{
    h->types_left = count;
    if (count == 0)
        handshake_framing_refuse(h);
    else
        handshake_framing_await_server(h, 0, SERVER_ONE_TYPE, 1);
}

static void server_one_type(struct handshake_framing *h, uint8_t type)
{
    if (h->types_count < HANDSHAKE_TYPES_MAX)
        h->types[h->types_count++] = type;
    if (--h->types_left > 0)
        handshake_framing_await_server(h, 0, SERVER_ONE_TYPE, 1);
    else
        handshake_framing_await_server(h, 0, SERVER_AFTER_TYPE, 0);
}

/* A prime and a key follow. */
static void server_dh(struct handshake_framing *h, uint32_t bytes)
{
    h->dh_bytes = APPLE_LOGIN_BYTES(bytes);
    handshake_framing_await_server(h, 2 * (uint64_t)bytes, SERVER_RESULT, NUMBER_BYTES);
}

static void server_result(struct handshake_framing *h, uint32_t result)
{
    if (result == 0)
        handshake_framing_await_server(h, 0, SERVER_INIT, SERVER_INIT_HEAD);
    else
        handshake_framing_refuse(h);
}

static void server_init(struct handshake_framing *h)
{
    const uint8_t *head = h->server.head;
    uint32_t name = get32(head + 4 + PIXEL_FORMAT_BYTES);

    h->name_left = name < HANDSHAKE_NAME_MAX ? name : HANDSHAKE_NAME_MAX;
    h->width = (int)get16(head);
    h->height = (int)get16(head + 2);
    if (!pixel_format_read(head + 4, &h->format, &h->why))
        h->state = HANDSHAKE_PLAIN; /* whatever pixels these are */
    else if (h->security == SECURITY_TIGHT)
        handshake_framing_await_server(h, name, SERVER_CAPABILITIES, CAPABILITIES_HEAD);
    else
        handshake_framing_await_server(h, name, SERVER_END, 0);
}

static void server_capabilities(struct handshake_framing *h)
{
    const uint8_t *head = h->server.head;
    uint64_t count = get16(head) + get16(head + 2) + get16(head + 4);

    handshake_framing_await_server(h, count * CAPABILITY_BYTES, SERVER_END, 0);
}

/* Begins what a type asks for that the client has chosen. */
static void server_after_type(struct handshake_framing *h)
{
    if (h->security == SECURITY_TIGHT)
        handshake_framing_await_server(h, 0, SERVER_TUNNELS, NUMBER_BYTES);
    else
        prove_to_server(h, h->security);
}

/* False: it has to wait for the client. */
static bool server_step(struct handshake_framing *h)
{
    const uint8_t *head = h->server.head;

    switch ((enum server_step)h->server_step) {
    case SERVER_GREETING:
        handshake_framing_greeting(h);
        return true;
    case SERVER_AFTER_VERSION:
        if (h->minor == 0)
            return false;
        if (h->minor == 3)
            handshake_framing_await_server(h, 0, SERVER_TYPE, NUMBER_BYTES);
        else
            handshake_framing_await_server(h, 0, SERVER_TYPES, 1);
        if (h->holds_list && h->ends_vencrypt && h->minor == 8)
            h->state = HANDSHAKE_LIST;
        return true;
    case SERVER_TYPE:
        server_type(h, get32(head));
        return true;
    case SERVER_TYPES:
        server_types(h, head[0]);
        return true;
    case SERVER_ONE_TYPE:
        server_one_type(h, head[0]);
        return true;
    case SERVER_AFTER_TYPE:
        if (h->security == 0)
            return false;
        server_after_type(h);
        return true;
    case SERVER_TUNNELS:
        h->tunnels_come = true;
        h->tunnel_wanted = get32(head) > 0;
        handshake_framing_await_server(h, (uint64_t)get32(head) * CAPABILITY_BYTES,
                                       SERVER_AFTER_TUNNEL, 0);
        return true;
    case SERVER_AFTER_TUNNEL:
        if (h->tunnel_wanted)
            return false;
        handshake_framing_await_server(h, 0, SERVER_WAYS, NUMBER_BYTES);
        return true;
    case SERVER_WAYS:
        h->ways_come = true;
        h->inside = get32(head) > 0 ? 0 : SECURITY_NONE;
        handshake_framing_await_server(h, (uint64_t)get32(head) * CAPABILITY_BYTES,
                                       SERVER_AFTER_WAY, 0);
        return true;
    case SERVER_AFTER_WAY:
        if (h->inside == 0)
            return false;
        prove_to_server(h, h->inside);
        return true;
    case SERVER_DH:
        server_dh(h, get16(head + 2));
        return true;
    case SERVER_RESULT:
        server_result(h, get32(head));
        return true;
    case SERVER_INIT:
        server_init(h);
        return true;
    case SERVER_CAPABILITIES:
        server_capabilities(h);
        return true;
    case SERVER_END:
        h->server_done = true;
        return true;
    }
    return false;
}

/* ---- the client ---- */

static void handshake_framing_version(struct handshake_framing *h)
{
    int major, minor;

    if (!read_version(&h->client, &major, &minor)) {
        handshake_framing_fail(h, "the client does not speak RFB");
        return;
    }
    if (major != 3) {
        follow_no_more(h, "RFB of version", (uint32_t)major);
        return;
    }
    h->minor = minor >= 8 ? 8 : minor == 7 ? 7 : 3;
    if (h->minor == 3)
        await_client(h, 0, CLIENT_AFTER_TYPE, 0);
    else if (h->ends_vencrypt)
        await_client(h, 0, CLIENT_AFTER_TYPES, 0);
    else
        await_client(h, 0, CLIENT_TYPE, 1);
}

static void client_type(struct handshake_framing *h, uint8_t type)
{
    h->security = type;
    if (type == SECURITY_TIGHT)
        await_client(h, 0, CLIENT_AFTER_TUNNELS, 0);
    else if (type == SECURITY_DH)
        await_client(h, 0, CLIENT_AFTER_DH, 0);
    else if (is_followed(type))
        handshake_framing_prove(h, type);
    else if (type == SECURITY_VENCRYPT && h->ends_vencrypt && h->minor == 8)
        h->state = HANDSHAKE_VENCRYPT;
    else
        follow_no_more(h, "security type", type);
}

static void client_plain(struct handshake_framing *h)
{
    uint32_t user = get32(h->client.head), password = get32(h->client.head + NUMBER_BYTES);

    if (user > PLAIN_MAX || password > PLAIN_MAX)
        handshake_framing_fail(h, "the client says a name or a password of more than 4096 bytes");
    else
        await_client(h, user + password, CLIENT_INIT, 1);
}

static void client_tunnel(struct handshake_framing *h, uint32_t tunnel)
{
    if (tunnel == NO_TUNNEL) {
        h->tunnel_wanted = false;
        await_client(h, 0, CLIENT_AFTER_WAYS, 0);
    } else {
        follow_no_more(h, "Tight security with tunnel", tunnel);
    }
}

static void client_way(struct handshake_framing *h, uint32_t way)
{
    h->inside = way;
    if (is_followed(way))
        handshake_framing_prove(h, way);
    else
        follow_no_more(h, "Tight security with type", way);
}

/* False: it has to wait for the server. */
static bool client_step(struct handshake_framing *h)
{
    const uint8_t *head = h->client.head;

    switch ((enum client_step)h->client_step) {
    case CLIENT_VERSION:
        handshake_framing_version(h);
        return true;
    case CLIENT_AFTER_TYPE:
        if (h->security == 0)
            return false;
        handshake_framing_prove(h, h->security);
        return true;
    case CLIENT_AFTER_TYPES:
        if (h->server_step != SERVER_AFTER_TYPE)
            return false;
        await_client(h, 0, CLIENT_TYPE, 1);
        return true;
    case CLIENT_TYPE:
        client_type(h, head[0]);
        return true;
    case CLIENT_AFTER_TUNNELS:
        if (!h->tunnels_come)
            return false;
        if (h->tunnel_wanted)
            await_client(h, 0, CLIENT_TUNNEL, NUMBER_BYTES);
        else
            await_client(h, 0, CLIENT_AFTER_WAYS, 0);
        return true;
    case CLIENT_TUNNEL:
        client_tunnel(h, get32(head));
        return true;
    case CLIENT_AFTER_WAYS:
        if (!h->ways_come)
            return false;
        if (h->inside == 0)
            await_client(h, 0, CLIENT_WAY, NUMBER_BYTES);
        else
            handshake_framing_prove(h, h->inside);
        return true;
    case CLIENT_WAY:
        client_way(h, get32(head));
        return true;
    case CLIENT_PLAIN:
        client_plain(h);
        return true;
    case CLIENT_AFTER_DH:
        if (h->dh_bytes == 0)
            return false;
        await_client(h, h->dh_bytes, CLIENT_INIT, 1);
        return true;
    case CLIENT_INIT:
        h->shared = head[0] != 0;
        h->client_done = true;
        return true;
    }
    return false;
}

/* ---- the interface ---- */

void handshake_framing_begin(struct handshake_framing *h)
{
    *h = (struct handshake_framing){.state = HANDSHAKE_GOES_ON};
    handshake_framing_await_server(h, 0, SERVER_GREETING, GREETING_BYTES);
    await_client(h, 0, CLIENT_VERSION, GREETING_BYTES);
}

void handshake_framing_resume(struct handshake_framing *h, uint32_t proof)
{
    h->state = HANDSHAKE_GOES_ON;
    h->inside = proof;
    prove_to_server(h, proof);
    if (proof == VENCRYPT_PLAIN)
        await_client(h, 0, CLIENT_PLAIN, PLAIN_HEAD);
    else
        handshake_framing_prove(h, proof);
}

static void end_when_both_are_done(struct handshake_framing *h)
{
    if (h->state == HANDSHAKE_GOES_ON && h->server_done && h->client_done)
        h->state = HANDSHAKE_DONE;
}

/* The name is what is passed over behind the head of ServerInit. */
static void keep_name(struct handshake_framing *h, const uint8_t *bytes, size_t size)
{
    size_t part = h->name_left < size ? h->name_left : size;

    if (part > 0)
        memcpy(h->name + strlen(h->name), bytes, part);
    h->name_left -= (uint32_t)part;
}

/* What has come of the name is kept, and then passed over with the rest. */
static bool take_from_server(struct handshake_framing *h, const uint8_t *bytes, size_t size,
                             size_t *at)
{
    keep_name(h, bytes + *at, size - *at);
    return intake_take(&h->server, bytes, size, at);
}

size_t handshake_framing_server(struct handshake_framing *h, const uint8_t *bytes, size_t size)
{
    size_t at = 0;

    while (h->state == HANDSHAKE_GOES_ON && !h->server_done &&
           take_from_server(h, bytes, size, &at) && server_step(h))
        ;
    end_when_both_are_done(h);
    return at;
}

size_t handshake_framing_client(struct handshake_framing *h, const uint8_t *bytes, size_t size)
{
    size_t at = 0;

    while (h->state == HANDSHAKE_GOES_ON && !h->client_done &&
           intake_take(&h->client, bytes, size, &at) && client_step(h))
        ;
    end_when_both_are_done(h);
    return at;
}

void handshake_framing_list(struct handshake_framing *h, const uint8_t *list, size_t size)
{
    h->state = HANDSHAKE_GOES_ON;
    handshake_framing_server(h, list, size);
}

bool handshake_framing_open(const struct handshake_framing *h)
{
    return h->security == SECURITY_NONE || h->inside == SECURITY_NONE;
}

const char *handshake_framing_why(const struct handshake_framing *h)
{
    return h->why.text;
}
