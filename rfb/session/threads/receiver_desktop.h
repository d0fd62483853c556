/* What a server tells of the desktop besides its pictures: the pointer's shape, the locks, the
 * name, the bell and the clipboard. Each becomes an event for the session's owner.
 *
 * A part of the receiver (receiver.h), with its thread.
 */
#ifndef VNCHL_SESSION_RECEIVER_DESKTOP_H
#define VNCHL_SESSION_RECEIVER_DESKTOP_H

#include <pthread.h>

#include "rfb/session/threads/receiver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is known of the server, for who asks. */
struct receiver_facts {
    bool running, ended;
    const char *security;
    bool fingerprinted, certificate, accelerated;
    char congestion[ACCELERATOR_CONGESTION]; /* the accelerator's */
    uint8_t sha256[FINGERPRINT_BYTES];
    char name[256];
    double decode_s; /* of the thread when it ended: CPU time */
    struct session_memory learnt;
};

struct receiver {
    struct receiver_parts parts;
    struct pacing *pacing;
    struct life *life;
    struct stream *stream;
    struct source source;
    tick_t next_bell; /* no bell is passed on before this time */
    tick_t next_drop; /* no text that was dropped is spoken of before this time */
    unsigned leds;    /* those of the newest event */
    bool shown;       /* a picture has come */
    bool pushes;      /* the far end, blocks */
    bool blocks_seen; /* it was looked at whether it does */
    pthread_t thread;

    pthread_mutex_t lock;
    struct receiver_facts facts;
};

/* Adds an event. When out of memory, the session ends. */
void receiver_post(struct receiver *r, const struct session_event *head, const void *bulk,
                   size_t size);
/* Adds an event with this sanitised name, cut to what an event holds, and frees it. */
void receiver_post_name(struct receiver *r, const struct session_event *head, char *name);

/* As in struct source_handlers; `user` is the receiver. */
void receiver_on_cursor(void *user, int width, int height, int hot_x, int hot_y, uint32_t *pixels);
void receiver_on_leds(void *user, unsigned leds);
void receiver_on_name(void *user, char *utf8);
void receiver_on_bell(void *user);
void receiver_on_cut_text(void *user, char *utf8);
void receiver_on_cut_text_dropped(void *user, size_t size, size_t limit);
void receiver_on_clipboard(void *user, const struct extended_clipboard *m);

#ifdef __cplusplus
}
#endif
#endif
