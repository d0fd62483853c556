/* The inside of a session, shared by its owner's side (session.c), its receiver (receiver.c,
 * questions.c) and its sender (sender.c). Nobody else includes this.
 */
#ifndef VNCHL_SESSION_STATE_H
#define VNCHL_SESSION_STATE_H

#include <pthread.h>

#include "prerequest/decide/window.h"
#include "rfb/decode/decoder.h"
#include "rfb/decode/lossy.h"
#include "rfb/net/stream.h"
#include "rfb/proto/push.h"
#include "rfb/session/commands.h"
#include "rfb/session/events.h"
#include "rfb/session/session.h"

/* Answers to fences that wait for the sender; more than any server has on its way at once. */
#define FENCE_BYTES_MAX 4096

enum phase { CONNECTING, RUNNING, CLOSED };

struct session {
    struct session_options options;
    struct framebuffer *fb;            /* receiver */
    struct framebuffer_reader *reader; /* of the same picture, the owner's */
    struct events *events;
    struct commands *commands;
    struct decoder *decoder; /* receiver */
    pthread_t receiver, sender;
    /* receiver: no bell is passed on before */
    tick_t next_bell;
    uint32_t questions; /* receiver: asked so far */
    int wake_fd;        /* eventfd: the sender has something to look at */
    int cancel_fd;      /* eventfd: readable once the session is to end */

    pthread_mutex_t lock; /* everything below */
    enum phase phase;
    bool stopping;                    /* session_stop() was called */
    struct reason watchdog;           /* why the watchdog ended the session; or empty */
    struct stream *stream;            /* NULL before the connection; freed with the session */
    tick_t deadline;                  /* of the handshake */
    tick_t prompting_since;           /* TICK_NEVER: nobody is being asked anything */
    struct session_question question; /* the open one; number 0: none */
    struct session_answer answer;     /* to it; question 0: none yet */
    pthread_cond_t answered;          /* or the session is to end */
    bool in_message;
    int64_t bytes_seen; /* watchdog: count of received bytes, and when it last changed */
    tick_t progress_at;
    uint64_t told_at;      /* bytes read when the scheduler was told what had arrived */
    int64_t bytes_used;    /* of all received, by the end of the newest update */
    tick_t sleeping_until; /* when the sender wakes by itself */
    bool held;             /* it waits for room in the socket: something is to be sent then */
    tick_t started;        /* first request; TICK_NEVER before */
    tick_t ended;          /* the connection ended; TICK_NEVER before */
    bool abandoned;        /* the receiver frees the session when it is done */
    struct scheduler scheduler;
    struct encoding_options told; /* by the newest SetEncodings */
    struct push push;
    uint8_t fences[FENCE_BYTES_MAX]; /* answers as the sender is to write them */
    size_t fence_bytes;
    struct lossy lossy;
    tick_t update_begun;
    bool update_news; /* it brings more than what was asked for to be sent again */
    bool update_loss; /* it answers a refresh, and with loss */
    struct meter meter;
    int width, height;
    char name[256];
    uint32_t encodings_seen;
    struct window window; /* auto */
    int64_t window_bytes;
    double handshake_rtt_ms;
    struct transport_info last_info; /* newest counters; those of the end stay */
};

/* Makes the sender look again; any thread. */
void session_wake_sender(struct session *s);

/* Ends the connection from outside: whoever waits in connect, read or write returns. Call with the
 * lock held. */
void session_cut(struct session *s);

/* The receiver asks the owner, and waits for the answer or for the end of the session. `user` is
 * the session; the rest is as struct handshake_options and struct tls_options want it. */
bool session_ask_credentials(void *user, bool want_user, char **name, char **password,
                             struct reason *why);
bool session_ask_trust(void *user, const struct tls_doubt *doubt, struct reason *why);

/* Any thread: takes the answer, if it is one to the open question. */
void session_take_answer(struct session *s, const struct session_answer *answer);

/* Frees what belongs to a session whose threads have ended. */
void session_free(struct session *s);

/* The round trip to the server, where the kernel's may be the one to a tunnel's near end. Call with
 * the lock held. */
double session_round_trip_ms(const struct session *s, double kernel_ms);

/* Tells the scheduler what has happened. Call with the lock held. */
void session_tell(struct session *s, const struct scheduler_event *event, tick_t now);

/* What SetEncodings is to say now. Call with the lock held, or before the sender runs. */
void session_encodings(const struct session *s, struct encoding_options *out);

/* Whether that is not what the server was told. Call with the lock held. */
bool session_untold(const struct session *s);

/* The two threads; the argument is the session. */
void *session_receiver(void *user);
void *session_sender(void *user);

#endif
