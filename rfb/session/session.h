/* One connection to one server: commands in, events out, the picture in memory that a
 * reader maps.
 *
 * Two threads belong to a session. The receiver connects, then decodes; the sender is a poll()
 * loop whose timer is the scheduler's next due time, and is the only writer once the handshake is
 * over. The caller's thread (UI or headless) uses the functions below and never touches the socket.
 *
 * Events wait until session_next_event() takes them. A newer one replaces a waiting one of the same
 * type. A session thread calls `wake` when the queue stops being empty, or when the picture is
 * damaged and no wake-up is pending. `wake` must only post something to the caller's own loop.
 *
 * What the session needs to know while it connects it asks by SESSION_QUESTION, one question at a
 * time. It waits for the answer, and the handshake's deadline waits, too.
 */
#ifndef VNCHL_SESSION_H
#define VNCHL_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prerequest/decide/scheduler.h"
#include "prerequest/meter.h"
#include "rfb/decode/framebuffer_reader.h"
#include "rfb/net/address.h"
#include "rfb/net/stream.h"
#include "rfb/proto/encodings.h"
#include "rfb/proto/security.h"
#include "rfb/session/session_message.h"
#include "rfb/session/trace_log.h"

#ifdef __cplusplus
extern "C" {
#endif

struct session;

struct session_callbacks {
    /* Session thread: something to take (an event, or damage). Must not block. */
    void (*wake)(void *user);
    void *user;
};

struct session_options {
    struct address address;
    struct transport_options transport;
    struct encoding_options encodings;
    struct scheduler_options scheduler;
    tick_t connect_timeout; /* from the first packet to the end of the handshake, ns */
    tick_t stall_timeout;   /* a message that gets no byte for this long ends the session, ns */
    bool shared;
    security_set security; /* the security types allowed; 0 is none */
    /* PEM file of those who may sign the server's certificate: a server without one is refused.
     * NULL: the system's, where the server has a certificate. */
    const char *x509_ca;
    struct session_callbacks callbacks;
    struct trace_log *trace; /* takes what the scheduler is told; NULL: none. The caller's. */
};

/* Everything measured up to now. */
struct session_stats {
    struct meter meter;
    tick_t elapsed;          /* since the first request, ns; 0 before it */
    double fps;              /* meter_fps() */
    double prp_ms;           /* in force; 0: none */
    bool pushed;             /* the server sends by itself now */
    double rtt_ms;           /* docs/benchmark.md; 0 when unknown */
    double queue_ms;         /* this and the next three: struct scheduler_facts */
    double delivery_rate;    /* bytes per second; 0 when unknown */
    double busy;             /* share of the downlink, 0..1 */
    unsigned in_flight;      /* requests */
    int quality, compress;   /* levels the server was told last */
    const char *quality_why; /* of their last change, in a few words */
    int64_t bytes_received;  /* TCP payload as the kernel counts it; -1: not a TCP socket */
    int64_t bytes_sent;
    int64_t window_bytes; /* receive buffer that was set, as granted; 0: the kernel's own tuning */
    int width, height;
    char name[256];          /* the desktop's, when the session began; cut if longer */
    uint32_t encodings_seen; /* bit n: pixel encoding number n was received */
};

/* Starts both threads. The options are copied; strings in them must outlive the session.
 * NULL only when out of memory or threads. */
struct session *session_create(const struct session_options *options);

/* Asks the session to end: wakes whatever waits. SESSION_CLOSED follows. Any thread. */
void session_stop(struct session *s);

/* Stops, joins, frees. A receiver that a server keeps busy decoding is not waited for: it frees the
 * rest when it is done. No callback comes any more. Safe on NULL. */
void session_destroy(struct session *s);

/* Takes the oldest event, for free(); NULL when there is none. */
struct session_event *session_next_event(struct session *s);

/* The picture, for one thread at a time: the one that shows it. Lives as long as the session. */
struct framebuffer_reader *session_framebuffer(struct session *s);

/* Any thread, never blocks. The command is valid, as session_message.h has it; the functions that
 * follow make such ones. */
void session_send(struct session *s, const struct session_command *command);

/* Before SESSION_CONNECTED and after SESSION_CLOSED these are dropped. Pointer motion that has not
 * been sent yet is replaced by newer motion with the same buttons, and a text by a newer text; a
 * text longer than SESSION_COPIED_MAX is dropped. `keysym` is an X11 keysym; bit n of `buttons` is
 * button n + 1. */
void session_send_key(struct session *s, uint32_t keysym, bool down);
void session_send_pointer(struct session *s, int x, int y, unsigned buttons);
void session_send_cut_text(struct session *s, const char *utf8);

/* Answers to the question of this number. Without it being open, or when it is of another kind,
 * they are ignored. A user name of NULL is an empty one. The session keeps the secrets until it has
 * used them, the caller forgets his own. A string that is too long refuses. A reason of NULL leaves
 * the session its own words. */
void session_answer_credentials(struct session *s, uint32_t question, const char *user,
                                const char *password);
void session_answer_trust(struct session *s, uint32_t question, bool trusted);
void session_refuse(struct session *s, uint32_t question, const char *reason);

/* A consistent copy of everything measured. `row` starts the per-row gaps afresh. */
void session_stats(struct session *s, bool row, struct session_stats *out);

#ifdef __cplusplus
}
#endif
#endif
