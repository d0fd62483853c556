#include "tools/accelerator/exchange/up.h"

#include <string.h>

#include "rfb/proto/blocks.h"
#include "rfb/proto/bytes.h"
#include "rfb/proto/message_types.h"

void up_init(struct up *u, struct relay *relay, struct own_push *own,
             enum continuous_updates continuous)
{
    memset(u, 0, sizeof *u);
    u->relay = relay;
    u->own = own;
    u->continuous = continuous;
}

void up_deinit(struct up *u)
{
    bytes_deinit(&u->in);
    bytes_deinit(&u->out);
    bytes_deinit(&u->behind);
}

void up_begin(struct up *u)
{
    u->reads = true;
    client_framing_begin(&u->framing);
}

bool up_has_room(const struct up *u)
{
    return u->in.size < UP_MOST && u->out.size + u->behind.size < UP_MOST &&
           u->own->answers.size < OWN_PUSH_ANSWERS_MOST;
}

bool up_pass(struct up *u, size_t size)
{
    bool room = bytes_append(&u->out, bytes_first(&u->in), size);

    bytes_take(&u->in, size);
    return room;
}

static void up_put(struct bytes_held *where, const uint8_t *bytes, size_t size, struct up_turn *t)
{
    if (!bytes_append(where, bytes, size))
        t->failed = true;
}

/* What had to wait follows. */
static void up_put_behind(struct up *u, struct up_turn *t)
{
    up_put(&u->out, bytes_first(&u->behind), u->behind.size, t);
    bytes_take(&u->behind, u->behind.size);
}

/* ---- asking ---- */

static void up_ask_again(struct up *u, struct up_turn *t)
{
    uint8_t message[CLIENT_WRITE_MAX];
    size_t size = client_write_update_request(message, !u->relay->full, u->relay->region);

    up_put(&u->out, message, size, t);
    relay_asked(u->relay, t->now);
    t->asked++;
}

/* Where no ends of updates are known. */
static void up_ask_blindly(struct up *u, struct up_turn *t)
{
    if (!u->own->on || t->now < u->blind_at || !t->slack || u->out.size > 0)
        return;
    up_ask_again(u, t);
    u->blind_at = t->now + UP_BLIND_EVERY;
}

void up_ask(struct up *u, struct up_turn *t)
{
    if (!client_framing_between(&u->framing))
        return;
    if (u->relay->owed) {
        u->relay->owed = false;
        up_ask_again(u, t);
    }
    if (t->server_lost)
        up_ask_blindly(u, t);
    else if (relay_next(u->relay, &t->view, t->now) == RELAY_ASK)
        up_ask_again(u, t);
}

/* ---- the pixel format ---- */

/* Between messages of both sides, as far as they are known. */
static bool up_between_messages(const struct up *u, const struct up_turn *t)
{
    return (u->lost || client_framing_between(&u->framing)) &&
           (t->server_lost || t->server_between);
}

/* No update is to be expected either: what the server sends from now on has seen what it is sent
 * now. */
static bool up_server_is_quiet(const struct up *u, const struct up_turn *t)
{
    bool expects = relay_expects(u->relay) && t->now - u->relay->last_asked < UP_FORMAT_PATIENCE;

    return up_between_messages(u, t) && (t->server_lost || !expects);
}

static void up_wait_for_quiet(struct up *u)
{
    if (u->relay->format_waits)
        return;
    relay_format_waits(u->relay);
    u->full_behind = false;
}

static void up_use_format(struct up *u, const struct pixel_format *format, struct up_turn *t)
{
    u->format = *format;
    t->format = true;
}

static void up_put_format_behind(struct up *u, const struct client_frame *found, struct up_turn *t)
{
    up_wait_for_quiet(u);
    u->behind_format = found->message.format;
    u->format_behind = true;
    up_put(&u->behind, found->bytes, found->size, t);
}

static void up_on_format(struct up *u, const struct client_frame *found, struct up_turn *t)
{
    bool waits = u->relay->format_waits;

    if (!waits && relay_lead(u->relay) > 1 && u->own->ends_due == 0)
        t->ahead = relay_lead(u->relay);
    if (waits || !up_server_is_quiet(u, t)) {
        up_put_format_behind(u, found, t);
        return;
    }
    up_put(&u->out, found->bytes, found->size, t);
    up_use_format(u, &found->message.format, t);
}

void up_change_format(struct up *u, struct up_turn *t)
{
    if (!u->relay->format_waits || !up_server_is_quiet(u, t))
        return;
    up_put_behind(u, t);
    if (u->format_behind)
        up_use_format(u, &u->behind_format, t);
    u->format_behind = false;
    relay_format_changed(u->relay);
    if (u->full_behind)
        relay_asked(u->relay, t->now);
}

tick_t up_look_again(const struct up *u, const struct up_turn *t)
{
    if (u->relay->format_waits && up_between_messages(u, t) && relay_expects(u->relay))
        return tick_later(t->now, u->relay->last_asked + UP_FORMAT_PATIENCE);
    return t->server_lost && u->own->on ? tick_later(t->now, u->blind_at) : TICK_NEVER;
}

/* ---- ContinuousUpdates and fences ---- */

/* Whether it takes blocks of a version that is spoken here, or that is not. */
static bool up_takes_blocks(const struct client_message *encodings, bool spoken)
{
    bool takes = false;

    for (unsigned i = 0; !takes && i < encodings->encodings; i++) {
        unsigned version = blocks_version(client_message_encoding(encodings, i));

        takes = version > 0 && (version >= BLOCKS_OLDEST && version <= BLOCKS_NEWEST) == spoken;
    }
    return takes;
}

static void up_look_for_own(struct up *u, const struct client_message *encodings, struct up_turn *t)
{
    bool fence = false, continuous = false;

    for (unsigned i = 0; i < encodings->encodings; i++) {
        int32_t encoding = client_message_encoding(encodings, i);

        fence = fence || encoding == PSEUDO_FENCE;
        continuous = continuous || encoding == PSEUDO_CONTINUOUS_UPDATES;
        t->shows = t->shows || (encoding == PSEUDO_ACCELERATOR && !u->relay->passes);
    }
    t->other_blocks =
        u->may_push && up_takes_blocks(encodings, false) && !up_takes_blocks(encodings, true);
    if (fence && continuous && u->continuous == CONTINUOUS_OWN && !u->relay->passes)
        own_push_offer(u->own);
}

/* It is switched off for a new pixel format, which follows. The end is said when all updates of the
 * old one have come. */
static void up_on_switch(struct up *u, const struct client_message *m)
{
    u->own->on = m->enable;
    relay_push(u->relay, m->enable, m->rect);
    if (m->enable)
        return;
    u->own->ends_due++;
    up_wait_for_quiet(u);
}

static void up_on_fence(struct up *u, const struct client_message *m, struct up_turn *t)
{
    if (!own_push_fence(u->own, m))
        t->failed = true;
    if (u->own->on)
        relay_client_has_read(u->relay, own_push_unread(u->own, u->relay->waiting), t->now);
}

/* ---- messages ---- */

static bool up_is_hidden(int32_t encoding)
{
    return encoding == PSEUDO_CONTINUOUS_UPDATES || encoding == PSEUDO_FENCE ||
           encoding == PSEUDO_ACCELERATOR || encoding == PSEUDO_PUSHING ||
           encoding == PSEUDO_TURNAROUND || encoding == PSEUDO_REFERENCES ||
           encoding == PSEUDO_FORETOLD || encoding == PSEUDO_FILM || blocks_version(encoding) > 0 ||
           (encoding >= PSEUDO_KEPT_0 && encoding <= PSEUDO_KEPT_0 + KEPT_MIB_MOST);
}

/* SetEncodings without what the server is not to know of the client. */
static void up_put_encodings(struct up *u, struct bytes_held *where,
                             const struct client_frame *found, struct up_turn *t)
{
    uint8_t message[CLIENT_HELD_MAX], *at = message + 4;
    unsigned count = found->message.encodings;

    up_look_for_own(u, &found->message, t);
    if (u->continuous == CONTINUOUS_PASS || (u->relay->passes && !u->own->offered)) {
        up_put(where, found->bytes, found->size, t);
        return;
    }
    memcpy(message, found->bytes, 4);
    for (unsigned i = 0; i < count; i++) {
        int32_t encoding = client_message_encoding(&found->message, i);

        if (!up_is_hidden(encoding))
            at = put32(at, (uint32_t)encoding);
    }
    put16(message + 2, (unsigned)(at - message - 4) / 4);
    up_put(where, message, (size_t)(at - message), t);
}

/* ---- blocks ---- */

/* Before the server is asked for anything, and between its messages: so the pusher can begin as if
 * it had been there from the start. */
static bool up_can_push(const struct up *u, const struct up_turn *t)
{
    return u->may_push && !u->relay->format_waits && !relay_expects(u->relay) && !t->server_lost &&
           t->server_between;
}

/* The pusher reads this message and what follows. What waits for the server goes that way, too. */
static void up_hand_to_pusher(struct up *u, const struct client_frame *found, struct up_turn *t)
{
    u->pushed = true;
    up_put(&u->out, found->bytes, found->size, t);
}

static void up_on_request(struct up *u, const struct client_frame *found, struct up_turn *t)
{
    const struct client_message *m = &found->message;
    bool passed = relay_client_asks(u->relay, m->incremental, m->rect, t->now);

    t->requests++;
    if (!passed)
        return;
    if (u->relay->format_waits)
        u->full_behind = true;
    up_put(u->relay->format_waits ? &u->behind : &u->out, found->bytes, found->size, t);
}

static bool up_is_input(uint8_t type)
{
    return type == CLIENT_KEY || type == CLIENT_POINTER || type == CLIENT_QEMU;
}

/* Mere motion of the pointer is none, and neither is a key that is released. */
static bool up_is_press(struct up *u, const struct client_message *m)
{
    unsigned before = u->buttons;

    if (m->type != CLIENT_POINTER)
        return up_is_input((uint8_t)m->type) && m->down;
    u->buttons = m->buttons;
    return m->buttons != before;
}

/* Whether the client wants something. */
static bool up_is_use(uint8_t type)
{
    return up_is_input(type) || type == CLIENT_UPDATE_REQUEST ||
           type == CLIENT_ENABLE_CONTINUOUS_UPDATES;
}

static void up_on_other(struct up *u, struct bytes_held *where, const struct client_frame *found,
                        struct up_turn *t)
{
    /* When it switches them off it is for a new pixel format: the server must not be asked ahead of
     * that. So this lasts. */
    if (found->type == CLIENT_ENABLE_CONTINUOUS_UPDATES && found->message.enable)
        relay_pass(u->relay, true);
    up_put(where, found->bytes, found->size, t);
}

static void up_on_message(struct up *u, const struct client_frame *found, struct up_turn *t)
{
    bool waits = u->relay->format_waits && !up_is_input(found->type);
    struct bytes_held *where = waits ? &u->behind : &u->out;

    t->in_use = t->in_use || up_is_use(found->type);
    if (found->understood && up_is_press(u, &found->message))
        relay_client_presses(u->relay, t->now);
    if (!found->understood)
        up_put(where, found->bytes, found->size, t);
    else if (found->type == CLIENT_UPDATE_REQUEST)
        up_on_request(u, found, t);
    else if (found->type == CLIENT_SET_PIXEL_FORMAT)
        up_on_format(u, found, t);
    else if (found->type == CLIENT_SET_ENCODINGS && up_can_push(u, t) &&
             up_takes_blocks(&found->message, true))
        up_hand_to_pusher(u, found, t);
    else if (found->type == CLIENT_SET_ENCODINGS)
        up_put_encodings(u, where, found, t);
    else if (found->type == CLIENT_FENCE && u->own->offered)
        up_on_fence(u, &found->message, t);
    else if (found->type == CLIENT_ENABLE_CONTINUOUS_UPDATES && u->own->offered)
        up_on_switch(u, &found->message);
    else
        up_on_other(u, where, found, t);
}

static void up_lose_boundaries(struct up *u, const struct client_frame *found, struct up_turn *t)
{
    u->lost = t->lost = true;
    t->in_use = true;      /* nobody knows what it wants */
    t->unfit = u->own->on; /* its answers to our fences cannot be told from what is the server's */
    u->own->unheard = true;
    relay_stop_asking(u->relay);
    if (u->relay->owed) /* now or never */
        up_ask_again(u, t);
    u->relay->owed = false;
    up_put_behind(u, t);
    up_put(&u->out, found->bytes, found->size, t);
}

/* Reads up to the next event. False: there is none. */
static bool up_take_event(struct up *u, struct up_turn *t)
{
    struct client_frame found;
    size_t taken = client_framing_read(&u->framing, bytes_first(&u->in), u->in.size, &found);

    switch (found.event) {
    case CLIENT_FRAME_MESSAGE:
        up_on_message(u, &found, t);
        break;
    case CLIENT_FRAME_PART:
        /* a text; keys that follow it do not wait for a format either */
        up_put(&u->out, found.bytes, found.size, t);
        break;
    case CLIENT_FRAME_UNKNOWN:
    case CLIENT_FRAME_HOSTILE:
        up_lose_boundaries(u, &found, t);
        break;
    default:
        break;
    }
    bytes_take(&u->in, taken);
    return found.event != CLIENT_FRAME_NONE;
}

/* The process that pushes ends with it, mostly before the client's connection has. Other bytes that
 * look so cost a wrong word in the log. */
static bool up_ends_in_goodbye(const struct bytes_held *in)
{
    const struct blocks_message message = {.kind = BLOCKS_GOODBYE};
    uint8_t goodbye[BLOCKS_HEAD];
    size_t size = blocks_write(goodbye, &message);

    return in->size >= size && memcmp(bytes_first(in) + in->size - size, goodbye, size) == 0;
}

void up_take(struct up *u, struct up_turn *t)
{
    u->framing.extended_buttons = t->server_buttons;
    while (u->reads && !u->lost && !t->failed && !u->pushed && up_take_event(u, t))
        ;
    if (u->pushed && u->in.size > 0)
        u->goodbye = up_ends_in_goodbye(&u->in);
    if ((!u->reads || u->lost || u->pushed) && !t->unfit && !up_pass(u, u->in.size))
        t->failed = true;
}
