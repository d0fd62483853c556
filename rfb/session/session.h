/* One connection to one server.
 *
 * Commands go in (session_send()), events come out (session_next_event()). Both are flat messages
 * without pointers (session_message.h). The picture lies in memory that another process could map
 * (session_framebuffer()). So a session may run in its owner's process (session_create(),
 * session.c) or in one of its own (worker_create(), rfb/worker/worker.c). Both implement the
 * functions below, and a program links one of them: vnchl the second, vnchl-session the first.
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
#include "rfb/decode/framebuffer_reader.h"
#include "rfb/net/address/address.h"
#include "rfb/net/address/candidates.h"
#include "rfb/net/stream.h"
#include "rfb/proto/encodings/encodings.h"
#include "rfb/proto/handshake/security.h"
#include "rfb/session/session_message.h"
#include "rfb/session/session_stats.h"
#include "rfb/session/trace_log.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of a file's name, with its NUL. */
#define SESSION_FILE_MAX 4096

struct session;
struct source_opener;

struct session_callbacks {
    /* Session thread: there is something to take, an event or damage. Must not block. */
    void (*wake)(void *user);
    void *user;
};

/* How the process of a session is confined (rfb/worker/confined/confine.h). */
enum sandbox {
    SANDBOX_AUTO,    /* with all that the kernel has for that */
    SANDBOX_REQUIRE, /* and not at all without the layers that count */
    SANDBOX_OFF
};

/* What the owner knows of servers from earlier sessions, and learns from this one. The thread that
 * connects calls the functions. A server that has come to us (route.listen) is named by its own
 * address, with the straight route. */
struct look_back {
    /* Before each connection, or when a server has come to us. *had: it showed a certificate, or
     * the key of an encrypted connection, before. False, with a reason: nobody knows, and there is
     * no connection. */
    bool (*had)(void *user, const struct address *server, const struct route *route, bool *had,
                struct reason *why);
    /* The server has shown such a certificate or key, which was accepted. `vouched`: by an
     * authority; else by a person, or by the fingerprint of the options. The session may still
     * fail. */
    void (*shown)(void *user, const struct address *server, const struct route *route,
                  bool vouched);
    void *user;
};

/* Which way the clipboard's texts go. */
enum clipboard_way {
    CLIPBOARD_SEND = 1 << 0,    /* ours to the server */
    CLIPBOARD_RECEIVE = 1 << 1, /* the server's to us */
};

/* Whether the server's sound is to be played. */
enum sound_wish {
    SOUND_WISH_OFF,
    SOUND_WISH_AUTO, /* where the path is good enough (rfb/session/input/sound.h) */
    SOUND_WISH_ON
};

/* Flat: another process gets them as they are. A text that is empty is not given. */
struct session_options {
    struct address address;
    /* Any of these will do, and the first that answers is the server, in the place of `address`:
     * for a session in a process of its own, and on the straight route. None: it is `address`. */
    struct candidates candidates;
    struct route route; /* to the address */
    struct transport_options transport;
    struct encoding_options encodings;
    struct scheduler_options scheduler;
    /* A handshake that gets no byte for this long ends the session, and one that takes
     * LIFE_HANDSHAKE_MOST times as long, ns. A session that waits for the server to come counts
     * from then on. */
    tick_t connect_timeout;
    tick_t stall_timeout;  /* a message that gets no byte for this long ends the session, ns */
    bool shared;           /* other viewers of the desktop stay connected */
    unsigned clipboard;    /* enum clipboard_way; 0: texts go neither way */
    enum sound_wish sound; /* a session that is recorded or played has none */
    security_set security; /* the security types allowed; 0 is none */
    /* PEM file with those who may sign the server's certificate. A server without a certificate is
     * refused then, and nobody is asked about one. Not given: the system's file, a server may be
     * without a certificate, and one that cannot be verified is asked about. */
    char x509_ca[SESSION_FILE_MAX];
    /* PEM file of those who must have signed it as well, whoever vouches for it. A server without a
     * certificate is refused then. Not given: anybody. */
    char x509_also[SESSION_FILE_MAX];
    char x509_crl[SESSION_FILE_MAX]; /* PEM file of certificates that were revoked */
    bool pinned; /* only the certificate or RSA key with this SHA-256 is accepted: */
    uint8_t fingerprint[FINGERPRINT_BYTES];
    /* The server showed a certificate or a key before. Without one it is refused now, unless
     * `security` allows no way with either. */
    bool certified_before;
    struct session_memory memory; /* of an earlier session with this server */
    struct session_ticket ticket; /* of the last session with this server, unless it was used */
    bool datagrams;               /* a path for them may be asked for, beside the connection */
    enum sandbox sandbox;         /* a session in its owner's process is not confined */
};

/* What a session calls or uses in its owner's process. What the pointers lead to outlives the
 * session. */
struct session_hooks {
    struct session_callbacks callbacks;
    struct look_back look_back; /* zeroed: the options' `certified_before` counts */
    /* Takes what the server sends from ServerInit on, as a part of its own; NULL: none. */
    struct recording *recording;
    struct trace_log *trace; /* takes what the scheduler is told; NULL: none */
    /* Of a session in this process: */
    /* Receiver thread: connects before `deadline`, and may wait as long; gives up when `cancel_fd`
     * becomes readable. Fills in what is known of a server that has come to us: the host in
     * `options->address`, `options->certified_before`. NULL with a reason. NULL itself: the session
     * connects, along the route. */
    struct stream *(*connect)(struct session_options *options, tick_t deadline, int cancel_fd,
                              struct reason *why);
    /* A file of picture_memory_create() (rfb/decode/picture_memory.h), which stays the caller's.
     * 0: the session makes one. */
    int picture_fd;
    /* Any thread of the session, only with the option `datagrams`, and once there is a connection:
     * asks for a UDP socket that leads to this port, SESSION_DATAGRAM_PORT_LEAST or above, of the
     * server's host. Does not wait: session_give_path() answers each time, in the same order. NULL:
     * there are none. */
    void (*ask_datagrams)(uint16_t port);
    /* The preview's thread, with a ticket: a UDP socket, as above, to where it is used, once what
     * comes from there may be read. It may wait. -1: there is none. NULL: there is no preview. */
    int (*preview_path)(void);
    /* Receiver thread: samples of the server's sound have come, whole frames, at most
     * SOUND_PIECE_MAX bytes. Must not block. False: they are late, and dropped. NULL: nobody
     * listens. */
    bool (*sound)(const void *samples, size_t size);
    const struct source_opener *source; /* pictures come from here; NULL: the server speaks RFB */
};

/* Says in a question which server asks, and how it is reached. */
void session_name_server(const struct address *address, const struct route *route,
                         struct session_question *q);

/* The security types that are left of those allowed: with a certificate only, where one was
 * demanded; with a certificate or a key, where one was shown before. */
security_set session_allows(const struct session_options *o);

/* The options of the connection: a receive window that nobody has set is as large as it became the
 * last time. */
struct transport_options session_transport(const struct session_options *o);

/* Whether it takes films, if it can: where all is to be exact, or as good as the user has chosen,
 * films are not. What decodes them (rfb/film/decoder.h) is chosen before. */
bool session_wants_film(const struct encoding_options *e);

/* Whether it takes Open H.264 (encoding 50), if it can: not where all is to be exact. */
bool session_wants_h264(const struct encoding_options *e);

/* Starts the session: its threads, or its process. Options and hooks are copied. NULL only when out
 * of memory or threads. A process that cannot be started ends the session at once, and
 * SESSION_CLOSED says why. */
struct session *session_create(const struct session_options *options,
                               const struct session_hooks *hooks);

/* The server that it is connected to, or was. False: to none yet. Any thread. */
bool session_server(struct session *s, struct address *out);

/* Asks the session to end; any thread. Whoever waits in it returns. SESSION_CLOSED follows. */
void session_stop(struct session *s);

/* Stops the threads, waits for them, frees. A receiver that a server keeps busy with decoding is
 * not waited for: it frees the session when it is done. `wake` is not called any more. Safe on
 * NULL. */
void session_destroy(struct session *s);

/* Takes the oldest event; the caller frees it. NULL when there is none. */
struct session_event *session_next_event(struct session *s);

/* "Landlock, seccomp, limits; not: namespaces": what shuts the session's process in. Empty until
 * that is known, and where the session has no process of its own. Any thread. */
void session_confined_by(struct session *s, char *out, size_t size);

/* The picture, for one thread at a time: the one that shows it. It lives as long as the session. */
struct framebuffer_reader *session_framebuffer(struct session *s);

/* What the user still sees: the picture of an earlier session with the same server, which protected
 * it no better than this one does. It is looked at now. If this session's picture is pushed, what
 * has stayed as it was is not sent again (rfb/session/push/old_picture.h). Any thread. */
void session_give_old_picture(struct session *s, struct framebuffer_reader *old);

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
/* For a server that takes steps (SESSION_STEPS). A server gets either in the form that it takes. */
void session_send_step(struct session *s, int dx, int dy, unsigned buttons);
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
/* A recording is paused, goes on, or is played at once up to a later place. Its first picture need
 * not have come. */
void session_play(struct session *s, const struct play_wish *wish);
/* All of the picture is asked for again. */
void session_ask_all(struct session *s);
/* Nobody can see the picture from now on; or somebody can again. While it is so the server is asked
 * for it once a second at most. A session begins with a picture that can be seen. */
void session_hide(struct session *s, bool on);
/* The user looks on and sends nothing, as with view-only; or not any more. While it is so, the link
 * is found to be silent without any input, too (rfb/session/connection/keep_alive.h). */
void session_watch(struct session *s, bool on);

/* The server's sound is to be played from now on, or not, whatever the path is like. */
void session_want_sound(struct session *s, bool on);

/* Of a session in another process: takes `size` bytes, whole frames, of the server's sound to be
 * played (rfb/sound_queue.h); silence where none is there. Any thread, until the session is
 * destroyed. */
void session_take_sound(struct session *s, void *out, size_t size);

/* Copies everything measured. What one object of the session has measured is of one moment. `row`:
 * the gaps of the row begin afresh. A session in another process puts its figures beside the
 * picture before it wakes the owner, and is asked, and waited for, only for a row. False: it was
 * too busy to answer, and these are the figures of before. */
bool session_stats(struct session *s, bool row, struct session_stats *out);

/* Of a session in this process: the answer to the hook `ask_datagrams`. A UDP socket that is
 * connected, does not block and never fragments, which the session closes; -1: there is none. Any
 * thread. */
void session_give_path(struct session *s, int fd);

/* Of a session in this process, for a reader in another one: puts the figures beside the picture,
 * with this CPU time. One thread at a time. Returns after how many ns they may have changed by
 * themselves; TICK_NEVER: they do not. */
tick_t session_publish(struct session *s, double cpu_s);

#ifdef __cplusplus
}
#endif
#endif
