/* The inside of a worker: the owner's side (worker.c) and the courier's (courier.c, sound.c).
 * Nobody else includes this.
 */
#ifndef VNCHL_WORKER_STATE_H
#define VNCHL_WORKER_STATE_H

#include <pthread.h>
#include <sys/types.h>

#include "rfb/session/events.h"
#include "rfb/session/session.h"
#include "rfb/sound_queue.h"
#include "rfb/worker/channel.h"
#include "rfb/worker/paths.h"
#include "rfb/worker/worker_message.h"

struct worker {
    struct session_options options;
    struct session_hooks hooks;
    struct framebuffer_reader *reader; /* owner */
    struct events *events;
    struct channel *channel; /* NULL: the process could not be started */
    pid_t pid;
    int cancel_fd;     /* eventfd: readable once the session is to end */
    int wake_fd;       /* eventfd: bytes wait in the channel, or the process is to be ended */
    pthread_t courier; /* if there is a channel */
    bool previews;     /* the process has a ticket, and a path to where that is used */

    /* courier: */
    struct transport *link;   /* the connection; kept for what it knows of its end; NULL: none */
    struct paths paths;       /* beside the connection */
    bool looked;              /* where ssh goes */
    bool doubted;             /* somebody was asked about its certificate */
    bool certified;           /* it has shown one that is accepted */
    unsigned connects, lines; /* of the process, so far */
    tick_t next_bell;         /* when a bell is passed on again, */
    tick_t next_sound;        /* and that sound comes, if that was said seldom, */
    bool sound_owed;          /* which has to wait */
    bool connected, closed;   /* SESSION_CONNECTED, SESSION_CLOSED were passed on */
    bool recorded;            /* RECORD_BEGIN has come */
    unsigned part;            /* of the recording; 0: none */
    bool recording_failed;

    pthread_mutex_t sound_lock; /* the next one */
    struct sound_queue sound;   /* that the server has sent, and nobody has played */

    pthread_mutex_t lock;       /* everything below; the courier alone writes the next two */
    struct address server;      /* at the other end of the link; with `listen` who came to us */
    bool linked;                /* there was one, and `server` is known */
    struct session_stats stats; /* the newest */
    bool row_asked;             /* the process was asked for a row, and has not answered */
    pthread_cond_t row_came;    /* signalled when it has, and when it never will */
    bool pinged;         /* the process was asked whether it is there, and has not answered */
    tick_t pinged_at;    /* when, or when the courier could take an answer again */
    tick_t handshake_by; /* the process asks for the connection, and later ends the handshake,
                          * until then; TICK_NEVER: neither is due */
    bool questioned;     /* a question is open, and the handshake waits for the answer */
    bool connecting;     /* the courier makes a connection, and takes no answer meanwhile */
    bool hung;           /* the process is to be ended: it does not answer, or */
    struct sockaddr_storage own; /* this machine's end of the connection; AF_UNSPEC: not known */
    bool moved;                  /* that address is gone */
    bool confined;               /* `layers` is known */
    bool records;
    struct worker_layers layers;
};

/* The thread that speaks with the process; the argument is the worker. */
void *worker_courier(void *user);

/* Wakes the courier. */
void worker_wake_courier(struct worker *w);

/* Courier: samples of the process are taken. False: it may not send them. */
bool worker_take_sound(struct worker *w, const struct channel_message *m);
/* Courier: whether the owner hears later of what this SESSION_SOUND says, or never. */
bool worker_sound_waits(struct worker *w, const struct session_event *e);
/* Courier: what of a sound that has ended was not played would be heard in front of the next. */
void worker_note_sound(struct worker *w, const struct session_event *e);
/* Bytes of sound that came and were dropped, because they were late. Any thread. */
uint64_t worker_sound_late(struct worker *w);

/* The handshake begins or goes on, or it is over. Call with the lock held. */
void worker_set_handshake(struct worker *w, bool runs);

#endif
