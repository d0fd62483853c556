/* The inside of a session. It is shared by the owner's functions (session.c), the receiver
 * (receiver.c) and the sender (sender.c). Only files of rfb/session/ include this.
 */
#ifndef VNCHL_SESSION_STATE_H
#define VNCHL_SESSION_STATE_H

#include <pthread.h>

#include "prerequest/decide/window.h"
#include "prerequest/response.h"
#include "rfb/decode/decoder.h"
#include "rfb/decode/lossy.h"
#include "rfb/net/stream.h"
#include "rfb/proto/handshake.h"
#include "rfb/proto/push.h"
#include "rfb/session/clipboard.h"
#include "rfb/session/commands.h"
#include "rfb/session/events.h"
#include "rfb/session/keep_alive.h"
#include "rfb/session/messages.h"
#include "rfb/session/resize.h"
#include "rfb/session/session.h"
#include "rfb/session/session_ops.h"

/* Bytes of answers to fences that may wait for the sender. Chosen: more than any server has on its
 * way at once. */
#define FENCE_BYTES_MAX 4096

#define LEDS_UNKNOWN UINT32_MAX

enum phase { CONNECTING, RUNNING, CLOSED };

struct session {
    struct session_head head;
    struct session_options options;
    struct framebuffer *fb;            /* receiver */
    struct framebuffer_reader *reader; /* owner; it shows the same picture */
    struct events *events;
    struct commands *commands;
    struct decoder *decoder; /* receiver */
    pthread_t receiver, sender;
    tick_t next_bell;   /* receiver; no bell is passed on before this time */
    tick_t next_drop;   /* receiver; no text that was dropped is spoken of before this time */
    uint32_t questions; /* receiver; how many were asked so far */
    unsigned leds;      /* receiver; those of the newest event; LEDS_UNKNOWN: there was none */
    int wake_fd;        /* eventfd: the sender has something to look at */
    int cancel_fd;      /* eventfd: readable once the session is to end */

    pthread_mutex_t lock; /* everything below */
    enum phase phase;
    bool stopping;                    /* session_stop() was called */
    struct reason watchdog;           /* why the session ends, when not the stream says it */
    struct stream *stream;            /* NULL before the connection; freed with the session */
    tick_t deadline;                  /* of the handshake */
    tick_t early_until;               /* of one that speaks early; TICK_NEVER: none does */
    bool surprised;                   /* the server did not take what was said early */
    struct session_memory learnt;     /* what the next session with this server may use */
    tick_t prompting_since;           /* when the open question was asked; TICK_NEVER: none is */
    struct session_question question; /* the open one; number 0: none */
    struct session_answer answer;     /* to it; question 0: none yet */
    pthread_cond_t answered;          /* signalled by an answer, and when the session is to end */
    bool in_message;                  /* the first byte of a message has come, its end has not */
    int64_t bytes_seen;               /* watchdog: bytes received when it looked last */
    tick_t progress_at;               /* when bytes came last, as far as was seen */
    tick_t watched_at;                /* when the watchdog looked last */
    bool rests;                       /* it looks again only after WATCHDOG_REST */
    tick_t awake_since; /* the watchdog could not look before: the process was stopped */
    struct keep_alive alive;
    uint64_t told_at;      /* bytes taken from the stream at the newest EVENT_ARRIVED */
    int64_t bytes_used;    /* bytes received, less those that waited at the newest update's end */
    tick_t sleeping_until; /* when the sender wakes by itself */
    bool held;             /* the sender waits for room in the socket, then it has to send */
    tick_t started;        /* when the first request left; TICK_NEVER before */
    tick_t ended;          /* when the connection ended; TICK_NEVER before */
    bool abandoned;        /* the owner is gone: the receiver frees the session */
    struct scheduler scheduler;
    struct encoding_options told; /* what the newest SetEncodings said */
    struct push push;
    bool key_codes, more_buttons; /* what the server takes */
    bool libvncserver;            /* the server has said that it is one */
    struct resize resize;
    uint8_t fences[FENCE_BYTES_MAX]; /* answers as the sender is to write them */
    size_t fence_bytes;
    struct session_clipboard clipboard;
    struct lossy lossy;
    tick_t update_begun; /* when the newest update began to come */
    bool update_news;    /* it shows more than what a refresh has asked for */
    bool update_loss;    /* it answers a refresh, but with loss */
    bool update_more;    /* it shows more than the answer to the keep-alive's question */
    struct meter meter;
    struct response response;
    const char *security;
    bool fingerprinted;
    uint8_t sha256[FINGERPRINT_BYTES];
    int width, height;
    char name[256];
    uint32_t encodings_seen;
    uint64_t pixels;                 /* decoded */
    double decode_s;                 /* of the receiver when it ended: CPU time */
    bool recording;                  /* the stream is recorded, and that works */
    bool certificate;                /* the server showed one, and it was accepted */
    struct window window;            /* --window auto */
    int64_t window_bytes;            /* receive buffer that was set, as granted; 0: none */
    double handshake_rtt_ms;         /* mean round trip of the handshake */
    struct transport_info last_info; /* newest counters; they stay when the connection has ended */
};

/* Receiver thread: connects, and says what comes first. Fills in *init, whose name is the caller's.
 */
bool session_open(struct session *s, struct server_init *init, struct reason *why);

/* Receiver thread, with the lock held: what the handshake has shown of the server. */
void session_learn_beginning(struct session *s, const struct server_init *init);
/* What is to be remembered of the server. With the lock held. */
struct session_memory session_memory_now(const struct session *s);

/* Receiver thread: where messages are read from. */
struct message_source session_source(const struct session *s);

/* Wakes the sender, which then looks at everything that may be due; any thread. */
void session_wake_sender(struct session *s);

/* When the watchdog is to look next, and its look: it ends a session whose server does not go on.
 * Call with the lock held. */
#define WATCHDOG_PERIOD TICK_S /* ns between two looks, unless the session rests. Chosen. */
tick_t watchdog_next(const struct session *s);
void watchdog_look(struct session *s, tick_t now);

/* Whether there is nothing to look after: nothing comes, nobody acts. Call with the lock held. */
bool session_rests(const struct session *s, tick_t now);

/* Ends the connection from outside: whoever waits in connect, read or write returns. Call with the
 * lock held. */
void session_cut(struct session *s);

/* The receiver asks the owner, and waits for the answer or for the end of the session. `user` is
 * the session. The rest is as struct handshake_options (rfb/proto/handshake.h) and key_trust
 * (rfb/net/key_doubt.h) want it. */
bool session_ask_credentials(void *user, bool want_user, enum security_channel channel, char **name,
                             char **password, struct reason *why);
bool session_ask_trust(void *user, const struct key_doubt *doubt, struct reason *why);

/* Any thread: keeps the answer if it answers the open question; else ignores it. */
void session_take_answer(struct session *s, const struct session_answer *answer);

/* Any thread: does what the user wishes (COMMAND_TUNE, COMMAND_REFRESH) in a session that is up. */
void session_take_tuning(struct session *s, const struct session_tuning *tuning);
void session_take_refresh(struct session *s);

/* Any thread: COMMAND_HIDE, in a session that is up. */
void session_take_hide(struct session *s, bool on);

/* Any thread: COMMAND_WATCH. */
void session_take_watch(struct session *s, bool on);

/* Any session thread: tells the user, in one line, of something that was not done as asked. */
void session_notice(struct session *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Frees what belongs to a session whose threads have ended. */
void session_free(struct session *s);

/* The round trip to the server, ms. It is `kernel_ms`, unless the handshake shows that this is only
 * the round trip to the near end of a tunnel. Call with the lock held. */
double session_round_trip_ms(const struct session *s, double kernel_ms);

/* The newest that is known of it, ms; 0: nothing. The kernel's minimum is of minutes. Its average
 * shows a longer route sooner; it holds delayed ACKs, which are taken off. Call with the lock held.
 */
double session_newest_round_trip_ms(const struct session *s, const struct transport_info *info);

/* Receiver thread, before anything is read after the handshake: the recording begins, if one is
 * wanted. */
void session_begin_recording(struct session *s, const struct server_init *init);

/* Notices when the recording has failed, and tells the owner. Call with the lock held. */
void session_watch_recording(struct session *s);

/* What a recording says where a server would speak. */
bool session_plays(const struct session *s);
bool session_can_play(const struct server_init *init, struct reason *why);
void session_cannot_play(const struct session *s, struct reason *why);

/* Tells the scheduler, and the trace, what has happened. Call with the lock held. */
void session_tell(struct session *s, const struct scheduler_event *event, tick_t now);

/* What SetEncodings would say now: quality follows the scheduler. Call with the lock held, or
 * before the sender runs. */
void session_encodings(const struct session *s, struct encoding_options *out);

/* Whether the server was told something else, so it has to be told. Call with the lock held. */
bool session_untold(const struct session *s);

/* Any thread: the server's screen is to have this size (COMMAND_RESIZE). */
void session_take_resize(struct session *s, int width, int height);

/* Receiver thread: fill in the handlers of messages. Their `user` is the session. */
void session_handle_updates(struct message_handlers *h);
void session_handle_news(struct message_handlers *h);
void session_handle_screens(struct message_handlers *h);

/* Receiver thread, with the lock held: the picture has this size now; a round trip was measured. */
void session_new_picture(struct session *s, int width, int height, tick_t now);
void session_learn_round_trip(struct session *s, const struct transport_info *info, tick_t now);

/* Receiver thread: an event for the owner. When out of memory, the session ends. */
void session_post(struct session *s, const struct session_event *head, const void *bulk,
                  size_t size);

/* Receiver thread: an event for the owner with a name, which is freed. */
void session_post_name(struct session *s, const struct session_event *head, char *name);

/* The receiver's handlers of the clipboard's messages (rfb/session/messages.h); `user` is the
 * session. */
void session_take_cut_text(void *user, char *utf8);
void session_cut_text_dropped(void *user, size_t size, size_t limit);
void session_take_clipboard(void *user, const struct extended_clipboard *m);

/* The sender writes in pieces that fit. So it never blocks in a write, and the watchdog goes on
 * while the socket is full. False when the connection is broken; the receiver sees that, too. */
bool session_write(struct session *s, const void *bytes, size_t size);

/* The sender tells the server of our clipboard's text, in the form that it takes. `size` bytes of
 * input wait in `out`, which has room for a message without a text. Returns how many bytes wait
 * afterwards. */
size_t session_tell_text(struct session *s, uint8_t *out, size_t size);

/* The sender sends our clipboard's text, which the server has asked for. */
void session_provide_text(struct session *s);

/* The two threads; the argument is the session. */
void *session_receiver(void *user);
void *session_sender(void *user);

#endif
