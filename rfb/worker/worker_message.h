/* What the viewer and the process of a session tell each other.
 *
 * The process that decodes what a server sent may be in the server's hands. So the viewer checks
 * what it says: the length of each message with worker_limit_of_process(), figures with
 * worker_stats_repair(), events with session_event_valid() (rfb/session/session_message.h), and
 * what it asks the user with worker_question_allowed(). The process trusts the viewer.
 *
 * Both are the same build: structs go as they lie in memory.
 */
#ifndef VNCHL_WORKER_MESSAGE_H
#define VNCHL_WORKER_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "rfb/session/session.h"
#include "rfb/worker/spawn.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Changes with any change of these messages. Another build refuses to start. */
#define WORKER_VERSION 11u

/* The descriptors that the process finds. */
#define WORKER_CHANNEL_FD SPAWN_FIRST_FD
#define WORKER_PICTURE_FD SPAWN_SECOND_FD

/* Bytes of one piece of a recording. */
#define WORKER_RECORD_MAX (2 << 20)

enum worker_type {
    /* from the viewer */
    WORKER_START = 1,   /* struct worker_start; the first message, but for files */
    WORKER_LINK,        /* struct worker_link, with the descriptor that the connection is made of */
    WORKER_NO_LINK,     /* struct worker_reason: why there is no connection */
    WORKER_EXPLAINED,   /* struct worker_reason: why the connection has ended; empty: not known */
    WORKER_COMMAND,     /* struct session_command and its bulk */
    WORKER_WANT_ROW,    /* figures for a row of the log; STATS answers */
    WORKER_END,         /* end the session, and yourself */
    WORKER_FILE,        /* a file that the options name: its name with the NUL, and a descriptor */
    WORKER_PING,        /* are you there? ALIVE answers */
    WORKER_OLD_PICTURE, /* the picture's memory of an earlier session comes with it */
    WORKER_PATH, /* a UDP socket to the server's host comes with it, or none: there is none */

    /* from the process */
    WORKER_CONFINED = 32, /* struct worker_layers: before anything of the server is read */
    WORKER_CONNECT,       /* tick_t: the deadline; LINK or NO_LINK answers */
    WORKER_HEARD,         /* the server has sent its first bytes */
    WORKER_EXPLAIN,       /* why has the connection ended? EXPLAINED answers */
    WORKER_EVENT,         /* struct session_event and its bulk */
    WORKER_WAKE,          /* the session has woken its owner: the picture may have changed */
    WORKER_STATS,         /* struct session_stats: the answer to WANT_ROW */
    WORKER_LINE,          /* a line for the log, without a NUL; the first byte: 1 for debug */
    WORKER_TRACE,         /* a piece of the trace */
    WORKER_TRACE_END,     /* its last piece */
    WORKER_RECORD_BEGIN,  /* ServerInit: a part of the recording begins */
    WORKER_RECORD,        /* what the server has sent after that */
    WORKER_ALIVE,         /* the answer to PING; figures stand beside the picture */
    WORKER_DATAGRAMS,     /* uint16_t: a UDP socket to this port, please; PATH answers */
    WORKER_SOUND,         /* samples of the server's sound, whole frames */
};

/* The exit status of a process that got another WORKER_VERSION. */
#define WORKER_OTHER_BUILD 3

/* Which layers hold. */
struct worker_layers {
    uint32_t namespaces; /* of users, processes, network and IPC: all of its own */
    uint32_t files;      /* Landlock: none can be opened */
    uint32_t calls;      /* seccomp: only those that a session needs */
    uint32_t limits;     /* of memory, files and core dumps */
};

/* With a ticket in the options a UDP socket comes with it, to where that is used. */
struct worker_start {
    uint32_t version;    /* WORKER_VERSION */
    uint32_t size;       /* of this struct */
    uint32_t namespaces; /* it was started in namespaces of its own */
    bool verbose, traces, records;
    struct session_options options; /* without the gateway's command */
};

/* A connection that the viewer has made. */
struct worker_link {
    uint32_t opening;          /* enum transport_opening */
    int64_t tuned, allowed;    /* as struct transport_window */
    uint32_t counted;          /* 1: its bytes are to be counted, the kernel does not */
    uint32_t explains;         /* 1: the viewer may know why it ends */
    uint32_t certified_before; /* as in struct session_options: this server showed one before */
    char host[SESSION_HOST_MAX];
};

struct worker_reason {
    uint32_t known; /* 0: there is no reason */
    uint32_t kind;  /* enum failure */
    char text[SESSION_REASON_MAX];
};

/* The most bytes that a message of this type may have; -1: none of this type is taken. */
int64_t worker_limit_of_viewer(uint32_t type);  /* messages that the viewer sends */
int64_t worker_limit_of_process(uint32_t type); /* messages that the process sends */

/* "Landlock, seccomp, limits; not: namespaces". */
void worker_describe_layers(const struct worker_layers *layers, char *out, size_t size);

/* Makes figures of a process that is not trusted fit to be computed with and shown: finite numbers
 * that are not negative, times that have passed, whole texts. */
void worker_stats_repair(struct session_stats *s, tick_t now);

/* Whether an honest process could ask the user this with these options. One that is in a server's
 * hands would ask for a password that the options keep from this server. `q` is valid
 * (session_event_valid()). Pure. */
bool worker_question_allowed(const struct session_options *o, const struct session_question *q);

#ifdef __cplusplus
}
#endif
#endif
