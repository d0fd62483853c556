/* What the server tells besides pictures becomes an event for the owner. Receiver thread. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "rfb/clock.h"
#include "rfb/log.h"
#include "rfb/session/messages.h"
#include "rfb/session/session_state.h"

void session_post(struct session *s, const struct session_event *head, const void *bulk,
                  size_t size)
{
    struct session_event *event = session_event_create(head, bulk, size);

    if (event) {
        events_add(s->events, event);
        return;
    }
    pthread_mutex_lock(&s->lock);
    reason_set(&s->watchdog, "out of memory");
    session_cut(s);
    pthread_mutex_unlock(&s->lock);
}

/* Adds an event with a name as its text. `name` is sanitised already; it is cut to what an event
 * holds, and freed here. */
void session_post_name(struct session *s, const struct session_event *head, char *name)
{
    if (strlen(name) >= SESSION_NAME_MAX) {
        name[SESSION_NAME_MAX - 1] = '\0';
        sanitise(name); /* it may have been cut inside a character */
    }
    session_post(s, head, name, strlen(name) + 1);
    free(name);
}

static void on_resized(void *user, int width, int height)
{
    const struct session_event event = {.type = SESSION_RESIZED, .width = width, .height = height};
    struct session *s = user;

    pthread_mutex_lock(&s->lock);
    session_new_picture(s, width, height, tick_now());
    pthread_mutex_unlock(&s->lock);
    session_wake_sender(s);
    session_post(s, &event, NULL, 0);
}

static void on_cursor(void *user, int width, int height, int hot_x, int hot_y, uint32_t *pixels)
{
    const struct session_event event = {
        .type = SESSION_CURSOR, .width = width, .height = height, .hot_x = hot_x, .hot_y = hot_y};

    session_post(user, &event, pixels, (size_t)width * (size_t)height * sizeof *pixels);
    free(pixels);
}

/* A server that repeats itself does not keep the owner awake. */
static void on_leds(void *user, unsigned leds)
{
    const struct session_event event = {.type = SESSION_LEDS, .leds = leds};
    struct session *s = user;

    if (leds == s->leds)
        return;
    s->leds = leds;
    session_post(s, &event, NULL, 0);
}

static void on_takes_key_codes(void *user)
{
    const struct session_event event = {.type = SESSION_KEY_CODES};
    struct session *s = user;
    bool news;

    pthread_mutex_lock(&s->lock);
    news = !s->key_codes;
    s->key_codes = true;
    pthread_mutex_unlock(&s->lock);
    if (news)
        session_post(s, &event, NULL, 0);
}

static void on_takes_more_buttons(void *user)
{
    struct session *s = user;

    pthread_mutex_lock(&s->lock);
    s->more_buttons = true;
    pthread_mutex_unlock(&s->lock);
}

static void on_name(void *user, char *utf8)
{
    const struct session_event event = {.type = SESSION_NAME};

    session_post_name(user, &event, utf8);
}

void session_take_cut_text(void *user, char *utf8)
{
    const struct session_event event = {.type = SESSION_CUT_TEXT};
    struct session *s = user;

    if (s->options.clipboard & CLIPBOARD_RECEIVE)
        session_post(s, &event, utf8, strlen(utf8) + 1);
    free(utf8);
}

/* ns: no two bells are passed on within this time. Chosen: a person cannot tell more of them apart,
 * and a flood would keep the owner awake, flash its window and fill its terminal. */
#define BELL_PERIOD (250 * TICK_MS)

static void on_bell(void *user)
{
    const struct session_event event = {.type = SESSION_BELL};
    struct session *s = user;
    tick_t now = tick_now();

    if (now < s->next_bell)
        return;
    s->next_bell = now + BELL_PERIOD;
    session_post(s, &event, NULL, 0);
}

void session_handle_news(struct message_handlers *h)
{
    h->resized = on_resized;
    h->cursor = on_cursor;
    h->leds = on_leds;
    h->takes_key_codes = on_takes_key_codes;
    h->takes_more_buttons = on_takes_more_buttons;
    h->name = on_name;
    h->cut_text = session_take_cut_text;
    h->cut_text_dropped = session_cut_text_dropped;
    h->clipboard = session_take_clipboard;
    h->bell = on_bell;
}
