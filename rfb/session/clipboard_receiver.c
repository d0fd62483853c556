/* What the receiver does with what the server says of its clipboard. */
#include "rfb/clock.h"
#include "rfb/log.h"
#include "rfb/session/session_state.h"

/* ns: no two dropped texts are spoken of within this time. Chosen: a server that sends them without
 * end must not fill the terminal. */
#define DROP_PERIOD (10 * TICK_S)

void session_cut_text_dropped(void *user, size_t size, size_t limit)
{
    struct session *s = user;
    tick_t now = tick_now();

    if (!(s->options.clipboard & CLIPBOARD_RECEIVE) || now < s->next_drop)
        return;
    s->next_drop = now + DROP_PERIOD;
    session_notice(s, "the server's clipboard was not taken: it has %zu bytes, more than %zu", size,
                   limit);
}

void session_take_clipboard(void *user, const struct extended_clipboard *m)
{
    struct session *s = user;
    bool wake;

    pthread_mutex_lock(&s->lock);
    wake = session_clipboard_hear(&s->clipboard, m);
    pthread_mutex_unlock(&s->lock);
    if (wake)
        session_wake_sender(s);
    if (wake && m->action == EXTENDED_CAPS)
        log_debug("the server has the extended clipboard");
    if (m->too_long > 0)
        session_cut_text_dropped(s, m->too_long, EXTENDED_TEXT_MAX);
    if (m->provided)
        session_take_cut_text(s, m->provided);
}
