/* The handshake of a client and a server that go through us, both directions: where it ends, and
 * what was agreed on. The owner passes all bytes on as they are. Pure; any thread; an object of
 * fixed size, without pointers, that its owner may copy.
 *
 * RFB 3.3, 3.7 and 3.8, with the security types None, VNC authentication, Apple's (30), and Tight
 * (16) with one of the first two inside, which TightVNC's viewer takes. Any other type may turn the
 * connection into one that cannot be read: from there on the owner is a plain pipe.
 *
 * The two directions depend on each other: what a byte means may be known only after the other side
 * has spoken. So a reading may take fewer bytes than it is given while the state is still
 * HANDSHAKE_GOES_ON. The rest is for the owner to keep; it is given again after the next reading of
 * the other direction. It may have been passed on already. A client that does not wait for the
 * server (a pipelined handshake) is read in this way.
 */
#ifndef VNCHL_HANDSHAKE_FRAMING_H
#define VNCHL_HANDSHAKE_FRAMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/framing/intake.h"
#include "rfb/proto/encodings/pixel_format.h"
#include "rfb/proto/handshake/security.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a refusal begins when the one who passes the connection on has not got to the server. */
#define HANDSHAKE_NO_SERVER "the accelerator cannot reach the VNC server"

enum handshake_state {
    HANDSHAKE_GOES_ON,
    /* Both directions are behind their ClientInit and ServerInit. Readings take nothing more: what
     * is left belongs to the messages. */
    HANDSHAKE_DONE,
    /* A security type that is not followed: a plain pipe from here on. */
    HANDSHAKE_PLAIN,
    /* The client has chosen VeNCrypt, and `ends_vencrypt` is set. The byte that says so has been
     * taken, and is not to be passed on: whoever ends VeNCrypt speaks it with each of them, and
     * then comes back with handshake_framing_resume(). */
    HANDSHAKE_VENCRYPT,
    /* The server's list of types comes next, and `holds_list` is set: how many, and then so many
     * bytes. Readings take nothing more. Its owner shows the client what it likes, and comes back
     * with handshake_framing_list(). */
    HANDSHAKE_LIST,
    /* The server has refused (what it says about that may still follow: pass it on), or one of them
     * does not speak RFB (handshake_framing_why()). */
    HANDSHAKE_FAILED,
};

/* Of the types that a server offers, so many are kept. */
#define HANDSHAKE_TYPES_MAX 16
/* Of the server's name, so many bytes are kept. */
#define HANDSHAKE_NAME_MAX 255

struct handshake_framing {
    bool ends_vencrypt; /* its owner sets it after handshake_framing_begin(); with RFB 3.8 only */
    bool holds_list;    /* the same, where that is set */
    enum handshake_state state;
    bool refused; /* FAILED: by the server, in the way that the protocol has for it */

    /* What is known so far. */
    int minor;         /* of the version that the client answered: 3, 7 or 8; 0: not yet */
    uint32_t security; /* the type that was taken; 0: not yet */
    uint8_t types[HANDSHAKE_TYPES_MAX]; /* that the server offers, the first ones */
    uint8_t types_count;                /* so many of them */
    bool client_done;                   /* the client's direction is behind ClientInit, */
    bool shared;                        /* which said this */
    bool server_done; /* the server's direction is behind ServerInit, which said: */
    int width, height;
    struct pixel_format format;
    char name[HANDSHAKE_NAME_MAX + 1];

    /* its own */
    uint32_t name_left; /* bytes of the name that are still to be kept */
    struct intake server, client;
    uint8_t server_step, client_step;
    uint8_t types_left; /* of the server's list, those to come */
    /* Tight: */
    bool tunnels_come, ways_come; /* the server has begun these lists */
    bool tunnel_wanted;           /* the client has to choose one */
    uint32_t inside;              /* the type inside of it; 0: not yet */
    uint32_t dh_bytes;            /* Apple's login: of the client's answer; 0: not known yet */
    struct reason why;
};

void handshake_framing_begin(struct handshake_framing *h);

/* Each takes bytes of its direction and returns how many. */
size_t handshake_framing_server(struct handshake_framing *h, const uint8_t *bytes, size_t size);
size_t handshake_framing_client(struct handshake_framing *h, const uint8_t *bytes, size_t size);

/* After LIST: this is all of the server's list. */
void handshake_framing_list(struct handshake_framing *h, const uint8_t *list, size_t size);

/* After VENCRYPT: both directions go on behind the choice of a type, with this proof:
 * SECURITY_NONE, SECURITY_VNC or VENCRYPT_PLAIN. */
void handshake_framing_resume(struct handshake_framing *h, uint32_t proof);

/* DONE: the server lets everybody in, without a password. */
bool handshake_framing_open(const struct handshake_framing *h);

/* PLAIN and FAILED: why, a line for a log. */
const char *handshake_framing_why(const struct handshake_framing *h);

#ifdef __cplusplus
}
#endif
#endif
