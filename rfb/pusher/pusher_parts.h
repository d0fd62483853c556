/* What a pusher has, for the files that it consists of. */
#ifndef VNCHL_PUSHER_PARTS_H
#define VNCHL_PUSHER_PARTS_H

#include "rfb/bytes_held.h"
#include "rfb/datagrams/said.h"
#include "rfb/framing/client_framing.h"
#include "rfb/pusher/path.h"
#include "rfb/pusher/pusher.h"
#include "rfb/pusher/server/puller.h"
#include "rfb/pusher/visits/ahead.h"
#include "rfb/pusher/visits/held_input.h"
#include "rfb/pusher/visits/newcomer.h"

/* Bytes of the server's name that a newcomer is told. */
#define PUSHER_NAME 256

/* Whether a viewer is there. */
enum pusher_phase {
    PUSHER_SERVES,  /* the viewer of the beginning, or one that has come again */
    PUSHER_AWAITS,  /* it has gone */
    PUSHER_GREETS,  /* the handshake of another one */
    PUSHER_EXPECTS, /* is over: its encodings are still to come */
};

struct pusher {
    const struct pusher_options *options;
    struct reason *why;
    enum pusher_phase phase;
    int viewer_fd;  /* -1: none */
    tick_t gone_by; /* nobody is waited for any more */
    struct newcomer newcomer;
    char name[PUSHER_NAME]; /* the server's, for the newcomer */
    int told_width, told_height;
    struct held_input holds;
    int wake_fd; /* eventfd */
    struct framebuffer *fb;
    struct viewer_side *viewer;
    struct server_side *server;
    struct puller *puller;
    struct client_framing framing;
    struct path *path;
    struct ahead ahead;
    struct heard heard;    /* of the viewer's stream, */
    uint32_t told;         /* and how much of it the viewer was told of */
    struct bytes_held out; /* for the viewer */
    bool begun;            /* the viewer has listed its encodings */
    bool hidden;           /* nobody sees its picture */
    bool hears;            /* it has asked the server for sound */
    bool asks;             /* the server, for its next update */
    bool over;
};

/* Nobody sees the viewer's picture; or somebody does again. */
void pusher_hide(struct pusher *p, bool hidden);

/* ---- viewers that go and come (pusher_viewers.c) ---- */

/* The viewer has gone, without a goodbye; or a newcomer has, or says what it may not. */
void pusher_lose_viewer(struct pusher *p);
/* The keeper says something. */
void pusher_hear_keeper(struct pusher *p);
/* A newcomer says this. Returns how many bytes belong to the handshake. */
size_t pusher_hear_newcomer(struct pusher *p, const uint8_t *bytes, size_t size);

#endif
