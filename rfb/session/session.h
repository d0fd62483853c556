/* One connection to one server.
 *
 * Commands go in (session_send()), events come out (session_next_event()). Both are flat messages
 * without pointers (session_message.h). The picture lies in memory that another process could map
 * (session_framebuffer()). So a session may run in its owner's process (session_create()) or in one
 * of its own (rfb/worker/worker.h); the functions below are the same for both (session_ops.h).
 *
 * Two threads belong to a session. The receiver connects, then decodes. The sender sleeps until the
 * scheduler's next deadline, and writes; once the handshake is over nobody else writes. The owner's
 * thread (the window's, or headless mode's) uses the functions below and never touches the socket.
 *
 * Events wait until session_next_event() takes them. A newer one replaces a waiting one of the same
 * type. A session thread calls `wake` when the queue stops being empty, or when the picture is
 * damaged and was not before. `wake` must only post something to the owner's own loop.
 *
 * What the session needs to know while it connects, it asks by SESSION_QUESTION, one question at a
 * time. It waits for the answer. The handshake's deadline waits, too.
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
struct session_options;

struct session_callbacks {
    /* Session thread: there is something to take, an event or damage. Must not block. */
    void (*wake)(void *user);
    void *user;
};

/* How the process of a session is shut in (rfb/worker/worker.h). */
enum sandbox {
    SANDBOX_AUTO,    /* with all that the kernel has for that */
    SANDBOX_REQUIRE, /* and not at all without the layers that count */
    SANDBOX_OFF
};

struct session_connector {
    /* Receiver thread: connects before `deadline`, and may wait as long; gives up when `cancel_fd`
     * becomes readable. Fills in what is known of a server that has come to us: the host in
     * `options->address`, `options->had_certificate`. NULL with a reason. */
    struct stream *(*connect)(void *user, struct session_options *options, tick_t deadline,
                              int cancel_fd, struct reason *why);
    void *user;
};

/* Which way the clipboard's texts go. */
enum clipboard_way {
    CLIPBOARD_SEND = 1 << 0,    /* ours to the server */
    CLIPBOARD_RECEIVE = 1 << 1, /* the server's to us */
};

/* How a connection to this server began. The next one needs fewer round trips with it
 * (docs/first-picture.md). */
struct session_memory {
    int minor;                     /* RFB 3.minor was spoken; 0: nothing that helps */
    enum security_number security; /* SECURITY_NONE or SECURITY_VNC */
    int width, height;             /* of the screen, when it began */
    bool waits;  /* the server has to be asked one thing after the other: nothing is said early */
    int quality; /* 1 + the step of quality that fitted (prerequest/decide/quality.h); 0: none */
    int64_t window; /* receive buffer that the path needed, bytes; 0: the kernel's own tuning */
};

struct session_options {
    struct address address;
    struct route route; /* to the address */
    struct transport_options transport;
    struct encoding_options encodings;
    struct scheduler_options scheduler;
    /* From the first packet to the end of the handshake, ns. A session that waits for the server to
     * come counts from then on. */
    tick_t connect_timeout;
    tick_t stall_timeout;  /* a message that gets no byte for this long ends the session, ns */
    bool shared;           /* other viewers of the desktop stay connected */
    unsigned clipboard;    /* enum clipboard_way; 0: texts go neither way */
    security_set security; /* the security types allowed; 0 is none */
    /* PEM file with those who may sign the server's certificate. A server without a certificate is
     * refused then, and nobody is asked about one. NULL: the system's file, a server may be without
     * a certificate, and one that cannot be verified is asked about. */
    const char *x509_ca;
    /* PEM file of those who must have signed it as well, whoever vouches for it. A server without a
     * certificate is refused then. NULL: anybody. */
    const char *x509_also;
    const char *x509_crl; /* PEM file of certificates that were revoked; NULL: none */
    /* SHA-256 of the only certificate accepted. A server without it is refused. NULL: any */
    const uint8_t *fingerprint;
    /* The server showed a certificate before. Without one it is refused now, unless `security`
     * allows no way with a certificate. */
    bool had_certificate;
    /* Looks up the same before each connection, or when a server has come to us (route.listen; its
     * route is the straight one then). The thread that connects calls it. False, with a reason:
     * nobody knows, and there is no connection. NULL: `had_certificate` counts. */
    bool (*look_back)(const struct address *server, const struct route *route, bool *had,
                      struct reason *why);
    struct session_memory memory; /* of an earlier session with this server */
    /* Makes the connection. `connect` NULL: the session makes it itself, along the route. */
    struct session_connector connector;
    enum sandbox sandbox; /* a session in its owner's process is not shut in */
    /* A file of picture_memory_create() (rfb/decode/picture_memory.h), which stays the caller's.
     * 0: the session makes one. */
    int picture_fd;
    struct session_callbacks callbacks;
    /* Takes what the server sends from ServerInit on, as a part of its own; NULL: none. The caller
     * owns it. */
    struct recording *recording;
    struct trace_log *trace; /* takes what the scheduler is told; NULL: none. The caller owns it. */
};

/* Says in a question which server asks, and how it is reached. */
void session_name_server(const struct address *address, const struct route *route,
                         struct session_question *q);

/* The security types that are left of those allowed: with a certificate only, where one was
 * demanded, or shown before. */
security_set session_allows(const struct session_options *o);

/* The options of the connection: a receive window that nobody has set is as large as it became the
 * last time. */
struct transport_options session_transport(const struct session_options *o);

#define SESSION_WORDS_MAX 64 /* bytes of a short text of ours, with its NUL */

/* Everything measured up to now; docs/benchmark.md defines it. Flat. */
struct session_stats {
    struct meter meter;
    tick_t elapsed;                      /* since the first request, ns; 0 before it */
    double fps;                          /* meter_fps() */
    double prp_ms;                       /* the period now; 0: none */
    bool pushed;                         /* the server sends updates by itself now */
    double rtt_ms;                       /* 0 when unknown */
    double queue_ms;                     /* this and the next three: struct scheduler_facts */
    double delivery_rate;                /* bytes per second; 0 when unknown */
    double busy;                         /* share of the downlink, 0..1 */
    unsigned in_flight;                  /* requests */
    int quality, compress;               /* the levels that the server is to use now */
    char quality_why[SESSION_WORDS_MAX]; /* why they changed last, in a few words */
    int64_t bytes_received; /* TCP payload as the kernel counts it; -1: not a TCP socket */
    int64_t bytes_sent;     /* the same, in the other direction */
    int64_t window_bytes; /* receive buffer that was set, as granted; 0: the kernel's own tuning */
    int width, height;
    char name[256];          /* the desktop's, when the session began; cut if longer */
    uint32_t encodings_seen; /* bit n: the encoding of row n was received (rfb/proto/encodings.h) */
    tick_t heard_at;         /* when bytes came from the server last, as far as was seen */
    bool silent;             /* it did not answer a question that it has to answer (keep_alive.h) */
    bool rests;              /* nothing comes, nobody acts: there is nothing to look after */
    double answer_ms;        /* how long such an answer took lately; 0: none was asked for */
    double decode_s;         /* CPU time of the thread that decodes */
    uint64_t pixels;         /* in the rectangles that were decoded */
    bool recording;          /* what comes is recorded now */
    bool played;             /* it comes from a recording */
    bool certificate;        /* the server showed one that is verified, pinned or trusted */
    char security[SESSION_WORDS_MAX]; /* the security type's name; "" before the handshake */
    bool fingerprinted; /* the server has shown a certificate, and `sha256` is of it (DER) */
    uint8_t sha256[FINGERPRINT_BYTES];
    bool key_codes, more_buttons; /* the server takes: codes of keys, buttons 8 and 9 */
    bool extended_clipboard;      /* texts in UTF-8, when somebody pastes */
    double rtt_now_ms;            /* the newest round trip; 0 when unknown */
    double response_ms;           /* from input to its picture in the last second; 0: none */
    struct session_memory memory; /* for the next session with this server; width 0: not yet */
    /* The rule that wants the next request (prerequest/rules.h); empty: none does. */
    char rule[SESSION_WORDS_MAX];
    double cpu_s; /* CPU time of the session's process, where it has one of its own; else 0 */
};

/* Starts both threads. The options are copied, but what pointers in them lead to is not: it must
 * outlive the session. NULL only when out of memory or threads. */
struct session *session_create(const struct session_options *options);

/* Asks the session to end; any thread. Whoever waits in it returns. SESSION_CLOSED follows. */
void session_stop(struct session *s);

/* Stops the threads, waits for them, frees. A receiver that a server keeps busy with decoding is
 * not waited for: it frees the session when it is done. `wake` is not called any more. Safe on
 * NULL. */
void session_destroy(struct session *s);

/* Takes the oldest event; the caller frees it. NULL when there is none. */
struct session_event *session_next_event(struct session *s);

/* The picture, for one thread at a time: the one that shows it. It lives as long as the session. */
struct framebuffer_reader *session_framebuffer(struct session *s);

/* Sends a command; any thread, never blocks. The command must be valid (session_command_valid());
 * this is asserted, not checked. The functions that follow make valid ones. */
void session_send(struct session *s, const struct session_command *command);

/* Input for the server. Before SESSION_CONNECTED and after SESSION_CLOSED it is dropped. Pointer
 * motion that has not been sent yet is replaced by newer motion with the same buttons, and a text
 * by a newer text. A text is dropped if it is longer than SESSION_COPIED_MAX, or if the options do
 * not have CLIPBOARD_SEND. `keysym` is an X11 keysym; bit
 * n of `buttons` is button n + 1. */
void session_send_key(struct session *s, uint32_t keysym, bool down);
/* The same with the key's code, which a server gets that takes codes. Once a key has been pressed
 * with its code, it is to be released with it. */
void session_send_key_code(struct session *s, uint32_t keysym, uint8_t code, bool down);
void session_send_pointer(struct session *s, int x, int y, unsigned buttons);
void session_send_cut_text(struct session *s, const char *utf8);

/* Answers to the question with this number. An answer to another question than the open one, or of
 * another kind, is ignored. `user` NULL is an empty name. A name or password that is too long
 * becomes a refusal. `reason` NULL: the session uses words of its own. The session forgets the
 * secrets when it has used them. The caller forgets its own copies. */
void session_answer_credentials(struct session *s, uint32_t question, const char *user,
                                const char *password);
void session_answer_trust(struct session *s, uint32_t question, bool trusted);
void session_refuse(struct session *s, uint32_t question, const char *reason);

/* The user's wishes for a session that is up; before and after they are dropped. The period and the
 * quality of the options hold until then, and in every other session. */
void session_tune(struct session *s, const struct session_tuning *tuning);
/* The server's screen is to have this size, 1..8192 pixels each way; for a session that has told
 * SESSION_RESIZABLE, otherwise dropped. A newer size replaces one that was not sent yet. What comes
 * of it is a SESSION_RESIZED, or the first time that the server refuses a SESSION_NOTICE. */
void session_resize(struct session *s, int width, int height);
/* All of the picture is asked for again. */
void session_refresh(struct session *s);
/* Nobody can see the picture from now on; or somebody can again. While it is so the server is asked
 * for it once a second at most. A session begins with a picture that can be seen. */
void session_hide(struct session *s, bool on);
/* The user looks on and sends nothing, as with view-only; or not any more. While it is so, the link
 * is found to be silent without any input, too (rfb/session/keep_alive.h). */
void session_watch(struct session *s, bool on);

/* Copies everything measured, of one moment. `row`: the gaps of the row begin afresh. */
void session_stats(struct session *s, bool row, struct session_stats *out);

#ifdef __cplusplus
}
#endif
#endif
