#include "rfb/session/receiver_desktop.h"

#include <stdlib.h>
#include <string.h>

#include "rfb/clock.h"
#include "rfb/log.h"
#include "rfb/session/constants.h"

void receiver_post(struct receiver *r, const struct session_event *head, const void *bulk,
                   size_t size)
{
    struct session_event *event = session_event_create(head, bulk, size);

    if (event) {
        events_add(r->parts.events, event);
        return;
    }
    life_fail(r->life, "out of memory");
    link_cut(r->parts.open.link);
}

void receiver_post_name(struct receiver *r, const struct session_event *head, char *name)
{
    if (strlen(name) >= SESSION_NAME_MAX) {
        name[SESSION_NAME_MAX - 1] = '\0';
        sanitise(name); /* it may have been cut inside a character */
    }
    receiver_post(r, head, name, strlen(name) + 1);
    free(name);
}

void receiver_on_cursor(void *user, int width, int height, int hot_x, int hot_y, uint32_t *pixels)
{
    const struct session_event event = {
        .type = SESSION_CURSOR, .width = width, .height = height, .hot_x = hot_x, .hot_y = hot_y};

    receiver_post(user, &event, pixels, (size_t)width * (size_t)height * sizeof *pixels);
    free(pixels);
}

/* A server that repeats itself does not keep the owner awake. */
void receiver_on_leds(void *user, unsigned leds)
{
    const struct session_event event = {.type = SESSION_LEDS, .leds = leds};
    struct receiver *r = user;

    if (leds == r->leds)
        return;
    r->leds = leds;
    receiver_post(r, &event, NULL, 0);
}

void receiver_on_name(void *user, char *utf8)
{
    const struct session_event event = {.type = SESSION_NAME};

    receiver_post_name(user, &event, utf8);
}

/* A recording that hurries to a place rings for nobody. */
void receiver_on_bell(void *user)
{
    const struct session_event event = {.type = SESSION_BELL};
    struct receiver *r = user;
    struct transport_info info;
    tick_t now = tick_now();

    if (now < r->next_bell)
        return;
    stream_info(r->stream, &info);
    if (info.play.seeking)
        return;
    r->next_bell = now + RECEIVER_BELL_PERIOD;
    receiver_post(r, &event, NULL, 0);
}

static bool receiver_takes_texts(const struct receiver *r)
{
    return r->parts.open.options->clipboard & CLIPBOARD_RECEIVE;
}

void receiver_on_cut_text(void *user, char *utf8)
{
    const struct session_event event = {.type = SESSION_CUT_TEXT};
    struct receiver *r = user;

    if (receiver_takes_texts(r))
        receiver_post(r, &event, utf8, strlen(utf8) + 1);
    free(utf8);
}

void receiver_on_cut_text_dropped(void *user, size_t size, size_t limit)
{
    struct receiver *r = user;
    tick_t now = tick_now();

    if (!receiver_takes_texts(r) || now < r->next_drop)
        return;
    r->next_drop = now + RECEIVER_DROP_PERIOD;
    events_notice(r->parts.events,
                  "the server's clipboard was not taken: it has %zu bytes, more than %zu", size,
                  limit);
}

void receiver_on_clipboard(void *user, const struct extended_clipboard *m)
{
    struct receiver *r = user;

    if (outbox_hear_clipboard(r->parts.outbox, m) && m->action == EXTENDED_CAPS)
        log_debug("the server has the extended clipboard");
    if (m->too_long > 0)
        receiver_on_cut_text_dropped(r, m->too_long, EXTENDED_TEXT_MAX);
    if (m->provided)
        receiver_on_cut_text(r, m->provided);
}
