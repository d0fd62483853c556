#include "rfb/session/session_message.h"

#include <stdlib.h>
#include <string.h>

#include "prerequest/decide/scheduler.h"
#include "rfb/decode/framebuffer.h"
#include "rfb/net/address/address.h"
#include "rfb/proto/encodings/cursor.h"
#include "rfb/proto/extensions/extended_clipboard.h"
#include "rfb/proto/server_messages.h"
#include "rfb/texts/reason.h"
#include "rfb/texts/utf8.h"

/* There is no padding, so nothing but the fields could leave the process. */
_Static_assert(sizeof(struct session_event) == 32, "no padding");
_Static_assert(sizeof(struct session_command) == 32, "no padding");
_Static_assert(sizeof(struct session_question) == 28 + FINGERPRINT_BYTES + FINGERPRINT_BRIEF +
                                                      3 * SESSION_HOST_MAX + SESSION_REASON_MAX +
                                                      SESSION_SUBJECT_MAX + SESSION_DATE_MAX,
               "no padding");
_Static_assert(sizeof(struct session_answer) == 8 + 2 * SESSION_SECRET_MAX + SESSION_REASON_MAX,
               "no padding");
_Static_assert(sizeof(struct session_tuning) == 12, "no padding");
_Static_assert(sizeof(struct session_ticket) == 4 + SESSION_TICKET_SECRET + SESSION_TICKET_HOST,
               "no padding");
_Static_assert(sizeof(((struct reason *)0)->text) == SESSION_REASON_MAX, "a reason fits");
_Static_assert(sizeof(((struct address *)0)->host) == SESSION_HOST_MAX, "a host fits");

_Static_assert(SESSION_COPIED_MAX == EXTENDED_TEXT_MAX + 1, "a copied text fits");
_Static_assert(SESSION_CUT_TEXT_MAX == EXTENDED_TEXT_MAX + 1, "a cut text fits");

static void *session_message_create(const void *head, size_t head_size, const void *bulk,
                                    size_t size)
{
    char *message = malloc(head_size + size);

    if (!message)
        return NULL;
    memcpy(message, head, head_size);
    if (size > 0)
        memcpy(message + head_size, bulk, size);
    return message;
}

/* ---- strings ---- */

/* Whether the `size` bytes are one text. */
static bool is_text(const void *bytes, size_t size)
{
    const char *end = memchr(bytes, '\0', size);

    return end == (const char *)bytes + size - 1 && utf8_valid(bytes);
}

/* Whether the array holds a string, and only zeros behind it. */
static bool is_string(const char *array, size_t size)
{
    const char *end = memchr(array, '\0', size);

    if (!end)
        return false;
    for (; end < array + size; end++)
        if (*end)
            return false;
    return true;
}

static bool session_message_within(uint32_t size, uint32_t least, uint32_t most)
{
    return size >= least && size <= most;
}

/* ---- events ---- */

struct session_event *session_event_create(const struct session_event *head, const void *bulk,
                                           size_t size)
{
    struct session_event *e = session_message_create(head, sizeof *head, bulk, size);

    if (e)
        e->size = (uint32_t)size;
    return e;
}

const char *session_event_text(const struct session_event *e)
{
    bool text = e->type == SESSION_CONNECTED || e->type == SESSION_NAME ||
                e->type == SESSION_CUT_TEXT || e->type == SESSION_NOTICE ||
                e->type == SESSION_CLOSED;

    return text && e->size > 0 ? (const char *)(e + 1) : NULL;
}

const uint32_t *session_event_pixels(const struct session_event *e)
{
    return e->type == SESSION_CURSOR && e->size > 0 ? (const uint32_t *)(e + 1) : NULL;
}

const struct session_question *session_event_question(const struct session_event *e)
{
    return e->type == SESSION_QUESTION ? (const struct session_question *)(e + 1) : NULL;
}

const struct session_ticket *session_event_ticket(const struct session_event *e)
{
    return e->type == SESSION_TICKET ? (const struct session_ticket *)(e + 1) : NULL;
}

static bool is_side(int32_t n, int32_t least, int32_t most)
{
    return n >= least && n <= most;
}

static bool is_screen(const struct session_event *e)
{
    return is_side(e->width, 1, FRAMEBUFFER_MAX_SIDE) &&
           is_side(e->height, 1, FRAMEBUFFER_MAX_SIDE);
}

static bool is_cursor(const struct session_event *e)
{
    if (e->width == 0 && e->height == 0)
        return e->hot_x == 0 && e->hot_y == 0 && e->size == 0;
    return is_side(e->width, 1, CURSOR_MAX_SIDE) && is_side(e->height, 1, CURSOR_MAX_SIDE) &&
           is_side(e->hot_x, 0, e->width - 1) && is_side(e->hot_y, 0, e->height - 1) &&
           e->size == (uint32_t)e->width * (uint32_t)e->height * sizeof(uint32_t);
}

bool session_event_head_valid(const struct session_event *e)
{
    bool no_hot_spot = e->hot_x == 0 && e->hot_y == 0;
    bool no_fields = e->width == 0 && e->height == 0 && no_hot_spot;

    if (e->failure >= FAILURES || (e->failure && e->type != SESSION_CLOSED) ||
        (e->leds && e->type != SESSION_LEDS))
        return false;
    switch (e->type) {
    case SESSION_CONNECTED:
        return is_screen(e) && no_hot_spot && session_message_within(e->size, 1, SESSION_NAME_MAX);
    case SESSION_RESIZED:
        return is_screen(e) && no_hot_spot && e->size == 0;
    case SESSION_NAME:
        return no_fields && session_message_within(e->size, 1, SESSION_NAME_MAX);
    case SESSION_CURSOR:
        return is_cursor(e);
    case SESSION_LEDS:
        return no_fields && e->leds <= LEDS_ALL && e->size == 0;
    case SESSION_STEPS:
    case SESSION_SOUND:
        return is_side(e->width, 0, 1) && e->height == 0 && no_hot_spot && e->size == 0;
    case SESSION_KEY_CODES:
    case SESSION_RESIZABLE:
    case SESSION_CERTIFIED:
    case SESSION_BELL:
        return no_fields && e->size == 0;
    case SESSION_CUT_TEXT:
        return no_fields && session_message_within(e->size, 1, SESSION_CUT_TEXT_MAX);
    case SESSION_NOTICE:
        return no_fields && session_message_within(e->size, 1, SESSION_REASON_MAX);
    case SESSION_QUESTION:
        return no_fields && e->size == sizeof(struct session_question);
    case SESSION_TICKET:
        return no_fields && e->size == sizeof(struct session_ticket);
    case SESSION_CLOSED:
        return no_fields && e->size <= SESSION_REASON_MAX;
    default:
        return false;
    }
}

/* A text of fixed room that can be shown. */
static bool is_shown(const char *text, size_t room)
{
    return is_string(text, room) && is_sanitised(text);
}

static bool question_texts_valid(const struct session_question *q)
{
    return is_shown(q->host, sizeof q->host) && is_shown(q->gateway, sizeof q->gateway) &&
           is_shown(q->faults, sizeof q->faults) && is_shown(q->subject, sizeof q->subject) &&
           is_shown(q->expires, sizeof q->expires) && is_shown(q->brief, sizeof q->brief);
}

/* A certificate, or an RSA key with its brief fingerprint. */
static bool question_key_valid(const struct session_question *q)
{
    return security_channel_is_rsa(q->channel) ? *q->brief
                                               : q->channel == CHANNEL_CERTIFICATE && !*q->brief;
}

/* How an answer is told goes with what is asked for. */
static bool question_told_valid(const struct session_question *q)
{
    switch ((enum session_question_kind)q->kind) {
    case QUESTION_PASSWORD:
        return q->proof == PROOF_VNC ||
               (q->proof == PROOF_PLAIN && security_channel_is_rsa(q->channel));
    case QUESTION_USER_PASSWORD:
        return q->proof == PROOF_PLAIN || (q->proof == PROOF_DH && q->channel == CHANNEL_CLEAR);
    case QUESTION_TRUST:
        return q->proof == PROOF_NONE;
    }
    return false;
}

static bool question_valid(const struct session_question *q)
{
    static const uint8_t none[FINGERPRINT_BYTES];
    bool trust = q->kind == QUESTION_TRUST;

    if (q->number == 0 || q->kind > QUESTION_TRUST || q->channel >= CHANNEL_COUNT ||
        !question_told_valid(q) || q->port > UINT16_MAX || q->acceptable > 1 ||
        q->way >= SESSION_WAYS || !question_texts_valid(q) ||
        (*q->gateway && q->way == WAY_STRAIGHT))
        return false;
    return trust ? question_key_valid(q)
                 : !q->acceptable && !*q->faults && !*q->subject && !*q->expires && !*q->brief &&
                       memcmp(q->sha256, none, sizeof none) == 0;
}

bool session_event_valid(const struct session_event *e, size_t bytes)
{
    const char *text;

    if (bytes < sizeof *e || !session_event_head_valid(e) || bytes != sizeof *e + e->size)
        return false;
    if (e->type == SESSION_QUESTION)
        return question_valid(session_event_question(e));
    if (e->type == SESSION_TICKET)
        return session_event_ticket(e)->port >= SESSION_DATAGRAM_PORT_LEAST &&
               session_event_ticket(e)->tries == 0;
    if (!(text = session_event_text(e)))
        return true;
    return is_text(text, e->size) && (e->type == SESSION_CUT_TEXT || is_sanitised(text));
}

/* ---- commands ---- */

struct session_command *session_command_create(const struct session_command *head, const void *bulk,
                                               size_t size)
{
    struct session_command *c = session_message_create(head, sizeof *head, bulk, size);

    if (c)
        c->size = (uint32_t)size;
    return c;
}

const char *session_command_text(const struct session_command *c)
{
    return c->type == COMMAND_CUT_TEXT ? (const char *)(c + 1) : NULL;
}

const struct session_answer *session_command_answer(const struct session_command *c)
{
    return c->type == COMMAND_ANSWER ? (const struct session_answer *)(c + 1) : NULL;
}

const struct session_tuning *session_command_tuning(const struct session_command *c)
{
    return c->type == COMMAND_TUNE ? (const struct session_tuning *)(c + 1) : NULL;
}

const struct session_playing *session_command_playing(const struct session_command *c)
{
    return c->type == COMMAND_PLAY ? (const struct session_playing *)(c + 1) : NULL;
}

bool session_command_head_valid(const struct session_command *c)
{
    bool no_key = c->keysym == 0 && c->down == 0 && c->code == 0;
    bool no_pointer = c->x == 0 && c->y == 0 && c->buttons == 0;

    switch (c->type) {
    case COMMAND_KEY:
        return c->down <= 1 && c->code <= UINT8_MAX && no_pointer && c->size == 0;
    case COMMAND_POINTER:
        return no_key && is_side(c->x, 0, UINT16_MAX) && is_side(c->y, 0, UINT16_MAX) &&
               c->buttons < 1u << SESSION_BUTTONS && c->size == 0;
    case COMMAND_STEP:
        return no_key && is_side(c->x, -SESSION_STEP_MAX, SESSION_STEP_MAX) &&
               is_side(c->y, -SESSION_STEP_MAX, SESSION_STEP_MAX) &&
               c->buttons < 1u << SESSION_BUTTONS && c->size == 0;
    case COMMAND_CUT_TEXT:
        return no_key && no_pointer && session_message_within(c->size, 1, SESSION_COPIED_MAX);
    case COMMAND_ANSWER:
        return no_key && no_pointer && c->size == sizeof(struct session_answer);
    case COMMAND_TUNE:
        return no_key && no_pointer && c->size == sizeof(struct session_tuning);
    case COMMAND_PLAY:
        return no_key && no_pointer && c->size == sizeof(struct session_playing);
    case COMMAND_WATCH:
    case COMMAND_HIDE:
    case COMMAND_SOUND:
        return c->keysym == 0 && c->down <= 1 && c->code == 0 && no_pointer && c->size == 0;
    case COMMAND_RESIZE:
        return no_key && is_side(c->x, 1, FRAMEBUFFER_MAX_SIDE) &&
               is_side(c->y, 1, FRAMEBUFFER_MAX_SIDE) && c->buttons == 0 && c->size == 0;
    case COMMAND_ASK_ALL:
    case COMMAND_STOP:
        return no_key && no_pointer && c->size == 0;
    default:
        return false;
    }
}

static bool answer_valid(const struct session_answer *a)
{
    bool credentials = a->verdict == ANSWER_CREDENTIALS;

    return a->verdict <= ANSWER_TRUSTED && is_string(a->user, sizeof a->user) &&
           is_string(a->password, sizeof a->password) && is_string(a->reason, sizeof a->reason) &&
           is_sanitised(a->reason) && (credentials || (!*a->user && !*a->password)) &&
           (a->verdict == ANSWER_REFUSED || !*a->reason);
}

static bool tuning_valid(const struct session_tuning *t)
{
    return (t->quality <= 9 || t->quality == TUNING_AUTO) && t->policy < PRP_POLICIES &&
           (prp_is_fixed(t->policy) ? session_message_within(t->prp_us, PRP_FIXED_MIN_MS * 1000,
                                                             PRP_FIXED_MAX_MS * 1000)
                                    : t->prp_us == 0);
}

bool session_command_valid(const struct session_command *c, size_t bytes)
{
    if (bytes < sizeof *c || !session_command_head_valid(c) || bytes != sizeof *c + c->size)
        return false;
    if (c->type == COMMAND_ANSWER)
        return answer_valid(session_command_answer(c));
    if (c->type == COMMAND_TUNE)
        return tuning_valid(session_command_tuning(c));
    if (c->type == COMMAND_PLAY)
        return session_command_playing(c)->paused <= 1 && session_command_playing(c)->seeks <= 1;
    return c->type != COMMAND_CUT_TEXT || is_text(session_command_text(c), c->size);
}
