#include "rfb/session/input/outbox.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "rfb/proto/extensions/clipboard_text.h"
#include "rfb/proto/extensions/push.h"
#include "rfb/session/input/commands.h"
#include "rfb/session/input/resize.h"
#include "rfb/system/thread.h"

struct outbox {
    struct events *events;
    struct commands *commands;
    int wake_fd;    /* eventfd */
    char *latin1;   /* sender; the text that was taken last */
    bool lost_said; /* sender; that characters may be lost */
    bool pointed;   /* sender; the pointer was somewhere: */
    int x, y;       /* sender; there */

    pthread_mutex_t lock; /* everything below */
    struct outbox_forms forms;
    struct session_clipboard clipboard; /* its text is the sender's alone */
    struct resize resize;
    int width, height; /* of the picture */
    uint8_t fences[OUTBOX_FENCES_MAX];
    size_t fence_bytes;
};

struct outbox *outbox_create(unsigned ways, struct events *events)
{
    struct outbox *o = calloc(1, sizeof *o);

    if (!o)
        return NULL;
    o->events = events;
    pthread_mutex_init(&o->lock, NULL);
    session_clipboard_init(&o->clipboard, ways);
    o->commands = commands_create();
    o->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (o->commands && o->wake_fd >= 0)
        return o;
    outbox_destroy(o);
    return NULL;
}

void outbox_destroy(struct outbox *o)
{
    if (!o)
        return;
    commands_destroy(o->commands);
    session_clipboard_deinit(&o->clipboard);
    if (o->wake_fd >= 0)
        close(o->wake_fd);
    pthread_mutex_destroy(&o->lock);
    free(o->latin1);
    free(o);
}

int outbox_wake_fd(const struct outbox *o)
{
    return o->wake_fd;
}

void outbox_wake(struct outbox *o)
{
    eventfd_wake(o->wake_fd, "the sender");
}

/* ---- what the owner wants ---- */

void outbox_add(struct outbox *o, const struct session_command *c)
{
    if (commands_add(o->commands, c))
        outbox_wake(o);
}

void outbox_want_size(struct outbox *o, int width, int height)
{
    pthread_mutex_lock(&o->lock);
    resize_want(&o->resize, width, height);
    pthread_mutex_unlock(&o->lock);
    outbox_wake(o);
}

/* ---- what the server has said ---- */

bool outbox_takes_key_codes(struct outbox *o)
{
    bool news;

    pthread_mutex_lock(&o->lock);
    news = !o->forms.key_codes;
    o->forms.key_codes = true;
    pthread_mutex_unlock(&o->lock);
    return news;
}

void outbox_takes_more_buttons(struct outbox *o)
{
    pthread_mutex_lock(&o->lock);
    o->forms.more_buttons = true;
    pthread_mutex_unlock(&o->lock);
}

bool outbox_takes_steps(struct outbox *o, bool on)
{
    bool news;

    pthread_mutex_lock(&o->lock);
    news = o->forms.steps != on;
    o->forms.steps = on;
    pthread_mutex_unlock(&o->lock);
    return news;
}

bool outbox_has_screens(struct outbox *o, const struct screen_layout *layout)
{
    bool news;

    pthread_mutex_lock(&o->lock);
    news = resize_learn(&o->resize, layout);
    pthread_mutex_unlock(&o->lock);
    return news;
}

void outbox_new_picture(struct outbox *o, int width, int height)
{
    pthread_mutex_lock(&o->lock);
    o->width = width;
    o->height = height;
    pthread_mutex_unlock(&o->lock);
}

void outbox_resize_refused(struct outbox *o, unsigned result)
{
    const char *why = resize_refusal(result);
    bool tell;

    pthread_mutex_lock(&o->lock);
    tell = why && !o->resize.refusal_told;
    o->resize.refusal_told = o->resize.refusal_told || tell;
    pthread_mutex_unlock(&o->lock);
    if (tell)
        events_notice(o->events, "the server keeps the size of its screen: %s", why);
}

bool outbox_answer_fence(struct outbox *o, uint32_t flags, const uint8_t *payload, size_t size)
{
    bool room;

    pthread_mutex_lock(&o->lock);
    room = o->fence_bytes + CLIENT_WRITE_MAX <= sizeof o->fences;
    if (room)
        o->fence_bytes +=
            client_write_fence(o->fences + o->fence_bytes, flags & FENCE_HONOURED, payload, size);
    pthread_mutex_unlock(&o->lock);
    outbox_wake(o);
    return room;
}

bool outbox_hear_clipboard(struct outbox *o, const struct extended_clipboard *m)
{
    bool wake;

    pthread_mutex_lock(&o->lock);
    wake = session_clipboard_hear(&o->clipboard, m);
    pthread_mutex_unlock(&o->lock);
    if (wake)
        outbox_wake(o);
    return wake;
}

void outbox_settle_clipboard(struct outbox *o)
{
    bool wake;

    pthread_mutex_lock(&o->lock);
    wake = session_clipboard_settle(&o->clipboard);
    pthread_mutex_unlock(&o->lock);
    if (wake)
        outbox_wake(o);
}

/* ---- the sender takes ---- */

/* Says what ISO 8859-1 lacks; once where another form follows, which this server may take. */
static void outbox_say_lost(struct outbox *o, size_t lost, bool alone)
{
    if (lost == 0 || (!alone && o->lost_said))
        return;
    o->lost_said = true;
    if (alone)
        events_notice(o->events,
                      "%zu character%s of the clipboard cannot be sent to this server, which "
                      "takes ISO 8859-1 only: '?' stands for %s",
                      lost, lost == 1 ? "" : "s", lost == 1 ? "it" : "each");
    else
        events_notice(o->events,
                      "%zu character%s of the clipboard may arrive as '?': some servers of this "
                      "kind take ISO 8859-1 only",
                      lost, lost == 1 ? "" : "s");
}

/* Our clipboard's text in ISO 8859-1, if it is short enough. `alone`: no other form follows. */
static void outbox_add_plain_text(struct outbox *o, bool alone, struct outbox_batch *out)
{
    size_t lost, length;

    o->latin1 = latin1_from_utf8(o->clipboard.text, &lost);
    length = o->latin1 ? strlen(o->latin1) : 0;
    if (length > TEXT_MAX && !alone)
        return;
    if (length > TEXT_MAX) {
        events_notice(o->events,
                      "the clipboard's text was not sent: it has %zu bytes, and a server without "
                      "the extended clipboard gets %d at most",
                      length, TEXT_MAX);
        return;
    }
    if (!o->latin1)
        return;
    out->size += client_write_cut_text(out->bytes + out->size, (uint32_t)length);
    out->text = o->latin1;
    out->text_size = length;
    outbox_say_lost(o, lost, alone);
}

/* Tells the server of our clipboard's text, in the form that it takes. */
static void outbox_add_text(struct outbox *o, struct outbox_batch *out)
{
    enum clipboard_form form;
    uint32_t limit;

    pthread_mutex_lock(&o->lock);
    form = session_clipboard_form(&o->clipboard);
    limit = o->clipboard.unasked;
    o->clipboard.provide_due = o->clipboard.provide_due || form == CLIPBOARD_PROVIDE;
    pthread_mutex_unlock(&o->lock);
    o->clipboard.waits = form == CLIPBOARD_WAITS;
    if (form == CLIPBOARD_ANNOUNCE)
        out->size += extended_clipboard_write(out->bytes + out->size, EXTENDED_NOTIFY, true);
    else if (form == CLIPBOARD_TOO_LONG)
        events_notice(o->events,
                      "the clipboard's text was not sent: the server takes %u bytes at most",
                      limit > 0 ? limit - 1 : 0); /* without the NUL */
    else if (form == CLIPBOARD_PLAIN || form == CLIPBOARD_PROVIDE)
        outbox_add_plain_text(o, form == CLIPBOARD_PLAIN, out);
}

/* A key that only its code names goes only to a server that takes codes. */
static size_t outbox_write_key(uint8_t *out, const struct session_command *c, bool codes)
{
    if (codes && c->code)
        return client_write_key_code(out, c->keysym, c->code, c->down);
    return c->keysym ? client_write_key(out, c->keysym, c->down) : 0;
}

static int outbox_side(int n)
{
    return n < 0 ? 0 : n > UINT16_MAX ? UINT16_MAX : n;
}

/* In the form that the server takes now. One in the other form was on its way when that changed, or
 * its sender knows places only. */
static size_t outbox_write_pointer(struct outbox *o, uint8_t *out, const struct session_command *c,
                                   const struct outbox_forms *forms)
{
    const bool step = c->type == COMMAND_STEP;
    const int dx = step         ? c->x
                   : o->pointed ? c->x - o->x
                                : 0,
              dy = step         ? c->y
                   : o->pointed ? c->y - o->y
                                : 0;

    o->x = outbox_side(step ? o->x + dx : c->x);
    o->y = outbox_side(step ? o->y + dy : c->y);
    o->pointed = true;
    return forms->steps ? client_write_step(out, dx, dy, c->buttons, forms->more_buttons)
                        : client_write_pointer(out, o->x, o->y, c->buttons, forms->more_buttons);
}

static void outbox_add_command(struct outbox *o, const struct session_command *c,
                               const struct outbox_forms *forms, struct outbox_batch *out)
{
    uint8_t *end = out->bytes + out->size;
    size_t size = 0;

    if (c->type == COMMAND_KEY)
        size = outbox_write_key(end, c, forms->key_codes);
    else if (c->type == COMMAND_POINTER || c->type == COMMAND_STEP)
        size = outbox_write_pointer(o, end, c, forms);
    else if (session_clipboard_keep(&o->clipboard, session_command_text(c)))
        outbox_add_text(o, out);
    out->size += size;
    out->written += size > 0;
}

void outbox_take_input(struct outbox *o, bool room, struct outbox_batch *out)
{
    struct outbox_forms forms = outbox_forms(o);
    struct session_command *c;
    bool motion;

    out->size = out->text_size = 0;
    out->text = NULL;
    out->messages = out->written = 0;
    out->acts = out->more = false;
    free(o->latin1);
    o->latin1 = NULL;
    out->waits = !room && commands_only_motion(o->commands);
    if (out->waits)
        return;
    if (o->clipboard.waits)
        outbox_add_text(o, out);
    while (!out->text && out->size + CLIENT_WRITE_MAX <= sizeof out->bytes &&
           (c = commands_take(o->commands, &motion))) {
        out->messages++;
        out->acts = out->acts || !motion;
        outbox_add_command(o, c, &forms, out);
        free(c);
    }
    out->more = out->text || out->size + CLIENT_WRITE_MAX > sizeof out->bytes;
}

/* Asks for another size of the server's screen, if that is wanted. With the lock held. */
static size_t outbox_write_size(struct outbox *o, uint8_t *out)
{
    struct screen_layout layout;

    if (!resize_take(&o->resize, o->width, o->height, &layout))
        return 0;
    return client_write_set_desktop_size(out, o->resize.width, o->resize.height, &layout);
}

size_t outbox_take(struct outbox *o, bool room, uint8_t *out)
{
    size_t size;

    pthread_mutex_lock(&o->lock);
    size = o->fence_bytes;
    memcpy(out, o->fences, size);
    o->fence_bytes = 0;
    size += session_clipboard_write(&o->clipboard, out + size);
    if (room)
        size += outbox_write_size(o, out + size);
    pthread_mutex_unlock(&o->lock);
    return size;
}

const void *outbox_take_text(struct outbox *o, size_t *size)
{
    bool due;

    *size = 0;
    pthread_mutex_lock(&o->lock);
    due = session_clipboard_take_provide(&o->clipboard);
    pthread_mutex_unlock(&o->lock);
    return due ? session_clipboard_packed(&o->clipboard, size) : NULL;
}

bool outbox_size_waits(struct outbox *o)
{
    bool due;

    pthread_mutex_lock(&o->lock);
    due = o->resize.due;
    pthread_mutex_unlock(&o->lock);
    return due;
}

/* ---- figures ---- */

struct outbox_forms outbox_forms(struct outbox *o)
{
    struct outbox_forms forms;

    pthread_mutex_lock(&o->lock);
    forms = o->forms;
    forms.extended_clipboard = o->clipboard.extended;
    pthread_mutex_unlock(&o->lock);
    return forms;
}
