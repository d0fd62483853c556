#include "rfb/session/input/clipboard.h"

#include <stdlib.h>
#include <string.h>

#include "rfb/proto/extensions/clipboard_text.h"
#include "rfb/session/session.h"

void session_clipboard_init(struct session_clipboard *c, unsigned ways)
{
    *c = (struct session_clipboard){.ways = ways, .known = ways == 0};
}

static void session_clipboard_forget(struct session_clipboard *c)
{
    free(c->text);
    free(c->packed);
    c->text = NULL;
    c->packed = NULL;
}

void session_clipboard_deinit(struct session_clipboard *c)
{
    session_clipboard_forget(c);
}

/* The actions that we take. */
static uint32_t session_clipboard_actions(unsigned ways)
{
    return (ways & CLIPBOARD_SEND ? EXTENDED_REQUEST | EXTENDED_PEEK : 0) |
           (ways & CLIPBOARD_RECEIVE ? EXTENDED_NOTIFY | EXTENDED_PROVIDE : 0);
}

/* A server repeats its caps after each of our SetEncodings. Ours are told once. */
static bool hear_caps(struct session_clipboard *c, const struct extended_clipboard *m)
{
    bool first = !c->extended;

    c->known = c->extended = true;
    c->accepts = m->accepts;
    c->unasked = m->unasked;
    c->caps_due = c->caps_due || first;
    return first;
}

bool session_clipboard_hear(struct session_clipboard *c, const struct extended_clipboard *m)
{
    bool send = c->ways & CLIPBOARD_SEND, receive = c->ways & CLIPBOARD_RECEIVE;

    if (m->action == EXTENDED_CAPS)
        return hear_caps(c, m);
    if (!c->extended)
        return false;
    if (m->action == EXTENDED_NOTIFY && receive && m->text && c->accepts & EXTENDED_REQUEST)
        return c->request_due = true;
    if (m->action == EXTENDED_REQUEST && send && m->text)
        return c->provide_due = true;
    if (m->action == EXTENDED_PEEK && send)
        return c->notify_due = true;
    return false;
}

bool session_clipboard_settle(struct session_clipboard *c)
{
    bool first = !c->known;

    c->known = true;
    return first;
}

bool session_clipboard_keep(struct session_clipboard *c, const char *utf8)
{
    session_clipboard_forget(c);
    if (!(c->text = strdup(utf8)))
        return false;
    line_ends_to_lf(c->text);
    c->waits = true;
    return true;
}

enum clipboard_form session_clipboard_form(const struct session_clipboard *c)
{
    if (!c->known)
        return CLIPBOARD_WAITS;
    if (!c->extended)
        return CLIPBOARD_PLAIN;
    if (c->accepts & EXTENDED_NOTIFY)
        return CLIPBOARD_ANNOUNCE;
    /* its NUL counts */
    return line_ends_crlf_length(c->text) < c->unasked ? CLIPBOARD_PROVIDE : CLIPBOARD_TOO_LONG;
}

size_t session_clipboard_write(struct session_clipboard *c, uint8_t *out)
{
    size_t size = 0;

    if (c->caps_due)
        size += extended_clipboard_write_caps(out, session_clipboard_actions(c->ways),
                                              EXTENDED_UNASKED_MAX);
    if (c->request_due)
        size += extended_clipboard_write(out + size, EXTENDED_REQUEST, true);
    if (c->notify_due)
        size += extended_clipboard_write(out + size, EXTENDED_NOTIFY, c->text != NULL);
    c->caps_due = c->request_due = c->notify_due = false;
    return size;
}

bool session_clipboard_take_provide(struct session_clipboard *c)
{
    bool due = c->provide_due;

    c->provide_due = false;
    return due;
}

const uint8_t *session_clipboard_packed(struct session_clipboard *c, size_t *size)
{
    if (c->text && !c->packed)
        c->packed = extended_clipboard_provide(c->text, &c->packed_size);
    *size = c->packed_size;
    return c->packed;
}
