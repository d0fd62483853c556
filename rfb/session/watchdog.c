/* The watchdog: ends a session whose server does not go on, and sees to the receive window. The
 * sender runs it.
 */
#include "rfb/clock.h"
#include "rfb/log.h"
#include "rfb/session/session_state.h"

/* ns between two looks while the session rests. Chosen: a machine that has nothing to do is left
 * asleep. */
#define WATCHDOG_REST (10 * TICK_S)
/* ns: a watchdog that looks so much later than it was to look was kept from it. Chosen. */
#define OVERSLEPT (4 * WATCHDOG_PERIOD)
/* ns: so long nothing has come before the session rests. Chosen. */
#define REST_AFTER (5 * TICK_S)

/* Sets the receive window if it has become too small (`--window auto`). Call with the lock held. */
static void fit_window(struct session *s, const struct transport_info *info, tick_t now)
{
    struct window *w = &s->window;
    bool told = w->wanted > w->bytes;
    int64_t bytes = window_look(w, info->bytes_received, tick_from_ms(info->rtt_ms), now);

    if (bytes > 0) {
        s->window_bytes = stream_set_window(s->stream, bytes);
        log_debug("receive window: set to %lld bytes", (long long)s->window_bytes);
    }
    if (!told && w->wanted > w->bytes)
        log_line("receive window: this path could use %lld bytes, the kernel allows %lld (set the "
                 "third number of the sysctl net.ipv4.tcp_rmem to %lld and connect again)",
                 (long long)w->wanted, (long long)w->bytes, (long long)w->wanted * 2);
}

bool session_rests(const struct session *s, tick_t now)
{
    return s->phase == RUNNING && !s->in_message && !s->held &&
           now - s->progress_at >= REST_AFTER && !keep_alive_matters(&s->alive, now);
}

tick_t watchdog_next(const struct session *s)
{
    return s->watched_at + (s->rests ? WATCHDOG_REST : WATCHDOG_PERIOD);
}

/* A process that was stopped could not read: that is no fault of the server's. Call with the lock
 * held. */
static void notice_sleep(struct session *s, tick_t now)
{
    if (now - watchdog_next(s) > OVERSLEPT)
        s->awake_since = now;
    s->watched_at = now;
}

void watchdog_look(struct session *s, tick_t now)
{
    struct transport_info info;

    notice_sleep(s, now);
    session_watch_recording(s);
    if (s->watchdog.text[0] || s->stopping || s->phase == CLOSED)
        return;
    if (s->phase == CONNECTING) {
        if (!s->stream || s->prompting_since != TICK_NEVER)
            return; /* stream_connect() keeps the deadline itself */
        if (now >= s->early_until) {
            stream_cut(s->stream);
            s->early_until = TICK_NEVER;
        }
        if (now < s->deadline)
            return;
        stream_info(s->stream, &info);
        reason_set(
            &s->watchdog,
            info.bytes_received != 0 ? "the server did not finish the handshake in %.0f s"
            : route_is_relayed(&s->options.route)
                ? "nothing has come from the server for %.0f s: does the way there lead to a "
                  "VNC server?"
                : "the server has said nothing for %.0f s: is it a VNC server?",
            tick_to_s(s->options.connect_timeout));
    } else {
        keep_alive_look(&s->alive, s->progress_at, now); /* also where the sender waits for room */
        stream_info(s->stream, &info);
        if (info.bytes_received < 0)
            return; /* a Unix socket does not tell: slow and stalled look the same */
        if (s->options.transport.window_bytes == 0)
            fit_window(s, &info, now);
        if (info.bytes_received != s->bytes_seen) {
            s->bytes_seen = info.bytes_received;
            s->progress_at = now;
        }
        if (!s->in_message ||
            now - tick_later(s->progress_at, s->awake_since) < s->options.stall_timeout)
            return;
        reason_set(&s->watchdog,
                   "the server stopped in the middle of a message: no byte for %.0f s",
                   tick_to_s(s->options.stall_timeout));
    }
    session_cut(s);
}
