#include "rfb/session/resize.h"

#include <pthread.h>

#include "rfb/proto/server_messages.h"
#include "rfb/session/session_state.h"

/* ---- what is wanted ---- */

bool resize_learn(struct resize *r, const struct screen_layout *layout)
{
    bool first = !r->able;

    r->able = true;
    r->layout = *layout;
    return first;
}

void resize_want(struct resize *r, int width, int height)
{
    r->due = r->able;
    r->width = width;
    r->height = height;
}

bool resize_take(struct resize *r, int now_w, int now_h, struct screen_layout *layout)
{
    bool ask = r->due && (r->width != now_w || r->height != now_h);

    r->due = false;
    if (ask)
        *layout = screen_layout_scaled(&r->layout, now_w, now_h, r->width, r->height);
    return ask;
}

const char *resize_refusal(unsigned result)
{
    switch (result) {
    case DESKTOP_SIZE_DONE:
    case DESKTOP_SIZE_FORWARDED:
        return NULL;
    case DESKTOP_SIZE_PROHIBITED:
        return "it does not allow that";
    case DESKTOP_SIZE_NO_RESOURCES:
        return "it has no memory for it";
    case DESKTOP_SIZE_BAD_LAYOUT:
        return "its monitors cannot be placed so";
    default:
        return "it does not say why";
    }
}

/* ---- in a session ---- */

void session_take_resize(struct session *s, int width, int height)
{
    pthread_mutex_lock(&s->lock);
    if (s->phase == RUNNING)
        resize_want(&s->resize, width, height);
    pthread_mutex_unlock(&s->lock);
    session_wake_sender(s);
}

static void on_screens(void *user, const struct screen_layout *layout)
{
    const struct session_event event = {.type = SESSION_RESIZABLE};
    struct session *s = user;
    bool first;

    pthread_mutex_lock(&s->lock);
    first = resize_learn(&s->resize, layout);
    pthread_mutex_unlock(&s->lock);
    if (first)
        session_post(s, &event, NULL, 0);
}

static void on_resize_refused(void *user, unsigned result)
{
    const char *why = resize_refusal(result);
    struct session *s = user;
    bool tell;

    pthread_mutex_lock(&s->lock);
    tell = why && !s->resize.refusal_told;
    s->resize.refusal_told = s->resize.refusal_told || tell;
    pthread_mutex_unlock(&s->lock);
    if (tell)
        session_notice(s, "the server keeps the size of its screen: %s", why);
}

void session_handle_screens(struct message_handlers *h)
{
    h->screens = on_screens;
    h->resize_refused = on_resize_refused;
}
