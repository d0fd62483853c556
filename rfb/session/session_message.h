/* The messages between a session and its owner: commands go in, events come out.
 *
 * Each message is flat: a struct of fixed size, the head, and behind it `size` more bytes, the
 * bulk. There is no pointer inside. So the bytes go to another process of this
 * program as they are (rfb/worker/). Where both ends are in one process, the message is passed by
 * its address.
 *
 * Numbers are in this machine's byte order. Fields that a type does not use are 0. A text is UTF-8.
 * It ends with a NUL, which counts, and holds no other NUL.
 *
 * The viewer checks each event of the session's process with session_event_valid(). Who reads the
 * head first may check it alone with ..._head_valid(); from then on `size` has a limit.
 *
 * Pure. Nothing here is shared between threads.
 */
#ifndef VNCHL_SESSION_MESSAGE_H
#define VNCHL_SESSION_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/proto/handshake/security.h"
#include "rfb/texts/fingerprint.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How long a text may be, in bytes with its NUL. */
#define SESSION_NAME_MAX     1024 /* a desktop's name; a longer one is cut */
#define SESSION_REASON_MAX   640  /* as struct reason */
#define SESSION_HOST_MAX     256  /* as struct address */
#define SESSION_SUBJECT_MAX  256  /* as struct certificate_facts */
#define SESSION_DATE_MAX     32
#define SESSION_SECRET_MAX   1024            /* a user name, a password */
#define SESSION_COPIED_MAX   ((4 << 20) + 1) /* the text for the server's clipboard */
#define SESSION_CUT_TEXT_MAX ((4 << 20) + 1) /* the server's */

/* UDP ports: below it are the services of the host's system. */
#define SESSION_DATAGRAM_PORT_LEAST 1024

#define SESSION_TICKET_SECRET 32  /* as SEALED_SECRET (rfb/datagrams/sealed.h) */
#define SESSION_TICKET_HOST   128 /* as struct sockaddr_storage */

#define SESSION_STEP_MAX 0x7fff /* pixels */

#define SESSION_BUTTONS 9 /* the last two are called back and forward */

/* ---- events ---- */

enum session_event_type {
    SESSION_CONNECTED, /* the handshake is done: width, height; text: the desktop's name */
    SESSION_RESIZED,   /* width, height; the framebuffer already has the new size */
    SESSION_NAME,      /* text: the desktop's new name */
    SESSION_CURSOR,    /* pointer shape: width, height, hot_x, hot_y; pixels. 0 x 0 hides it */
    SESSION_LEDS,      /* leds: the locks that are on at the server's keyboard */
    SESSION_KEY_CODES, /* from now on the server takes codes of keys */
    SESSION_RESIZABLE, /* from now on the server takes COMMAND_RESIZE */
    SESSION_BELL,
    SESSION_CUT_TEXT,  /* text: the server's clipboard; its lines end with LF */
    SESSION_NOTICE,    /* text: what was not done as the user may expect, for the user */
    SESSION_QUESTION,  /* struct session_question: the session waits for the answer to it */
    SESSION_CERTIFIED, /* the server has shown a certificate, or the key of an encrypted
                        * connection, that is accepted; nothing was sent yet
                        * that a person keeps secret */
    SESSION_STEPS, /* width 1: from now on the server takes steps of the pointer, which depend on no
                    * place; 0: places again */
    SESSION_TICKET, /* struct session_ticket: for the options of the next session with this server
                     */
    SESSION_SOUND,  /* width 1: the server's sound comes, for session_take_sound(); 0: not any more
                     */
    SESSION_CLOSED, /* the last event; failure; text: why, or none when the session was stopped */
};

/* How many types there are. */
#define SESSION_EVENT_TYPES (SESSION_CLOSED + 1)

/* Names, notices and reasons are as sanitise() (rfb/texts/reason.h) leaves them: fit to be shown.
 */
struct session_event {
    uint32_t type;         /* enum session_event_type */
    uint32_t size;         /* bytes of the bulk */
    int32_t width, height; /* pixels */
    int32_t hot_x, hot_y;
    uint32_t failure; /* enum failure (rfb/texts/reason.h) */
    uint32_t leds;    /* enum leds (rfb/proto/server_messages.h) */
};

enum session_question_kind {
    QUESTION_PASSWORD,
    QUESTION_USER_PASSWORD, /* a user name, too */
    QUESTION_TRUST,         /* a certificate that cannot be verified, or a key: trust it? */
};

/* What leads to the server. */
enum session_way {
    WAY_STRAIGHT, /* and where the server has come to us */
    WAY_SSH,      /* ssh to `gateway`, which protects so far */
    WAY_COMMAND,  /* a command of the user's in the place of ssh: nobody knows what it protects */
    WAY_FAR_END,  /* ssh to `gateway`, and there vnchl-accel to a server of that machine */
    WAY_REPEATER, /* the last part of the way begins at a repeater */
    SESSION_WAYS
};

/* `host` and `port` say which server asks. `acceptable`, `sha256` and what follows `gateway` are
 * for TRUST only. */
struct session_question {
    uint32_t number;                   /* never 0; the answer names it */
    uint32_t kind;                     /* enum session_question_kind */
    uint32_t channel;                  /* enum security_channel: what protects the answer, or
                                        * what is trusted for */
    uint32_t proof;                    /* enum security_proof: how the answer is told; TRUST: 0 */
    uint32_t port;                     /* TCP port; 0: `host` is the path of a Unix socket, or at
                                        * the far end no port was named */
    uint32_t way;                      /* enum session_way */
    uint32_t acceptable;               /* 0: the session ends, whatever the answer is */
    uint8_t sha256[FINGERPRINT_BYTES]; /* of the certificate (DER), or of the RSA key */
    char brief[FINGERPRINT_BRIEF];     /* of the key, as other viewers show it; else empty */
    char host[SESSION_HOST_MAX];       /* as the user named it; empty: not known */
    /* SSH, COMMAND, FAR_END: [USER@]HOST[:PORT]; REPEATER: its address, with ",via=" or ",command="
     * and the gateway that leads to it; else empty */
    char gateway[2 * SESSION_HOST_MAX];
    char faults[SESSION_REASON_MAX];   /* all that is wrong with it, in words */
    char subject[SESSION_SUBJECT_MAX]; /* whose it says that it is; empty: not known */
    char expires[SESSION_DATE_MAX];    /* "2026-11-22 14:05 UTC"; empty: not known */
};

/* What shows the picture to a viewer that comes again before its connection stands
 * (rfb/session/pictures/preview.h). It holds once, and is kept in memory only. */
struct session_ticket {
    uint16_t port;  /* UDP; 0: there is no ticket */
    uint16_t tries; /* sessions that it was given to, and that were not answered */
    uint8_t secret[SESSION_TICKET_SECRET];
    uint8_t
        host[SESSION_TICKET_HOST]; /* struct sockaddr_storage; the owner of a process knows it */
};

/* ---- commands ---- */

enum session_command_type {
    COMMAND_KEY,      /* keysym, down, code */
    COMMAND_POINTER,  /* x, y, buttons */
    COMMAND_CUT_TEXT, /* text: our clipboard */
    COMMAND_ANSWER,   /* struct session_answer */
    COMMAND_TUNE,     /* struct session_tuning: another period and quality from now on */
    COMMAND_ASK_ALL,  /* all of the picture is to be sent again */
    COMMAND_WATCH,    /* down: the user looks on, and sends nothing; or not any more */
    COMMAND_HIDE,     /* down: nobody can see the picture from now on; or somebody can again */
    COMMAND_RESIZE,   /* x, y: the size that the server's screen is to have, in pixels */
    COMMAND_STOP,
    COMMAND_STEP,  /* x, y: how far the pointer has moved; buttons */
    COMMAND_SOUND, /* down: the server is to send its sound, whatever the path is like; or not */
    COMMAND_PLAY,  /* struct session_playing: pause a recording, or move on in it */
};

/* How many types there are. */
#define SESSION_COMMAND_TYPES (COMMAND_PLAY + 1)

struct session_command {
    uint32_t type;    /* enum session_command_type */
    uint32_t size;    /* bytes of the bulk */
    uint32_t keysym;  /* of X11; 0: not known, and only a server that takes codes gets the key */
    uint32_t down;    /* 0 or 1, also of WATCH, HIDE and SOUND */
    int32_t x, y;     /* 0 to 65535; of a STEP up to SESSION_STEP_MAX either way */
    uint32_t buttons; /* bit n is button n + 1; SESSION_BUTTONS of them */
    uint32_t code;    /* of a key: an XT scan code, 0xe0 as the highest bit; 0: none */
};

enum session_verdict {
    ANSWER_REFUSED,     /* `reason` says why, if it is not empty */
    ANSWER_CREDENTIALS, /* answers PASSWORD and USER_PASSWORD */
    ANSWER_TRUSTED,     /* answers TRUST */
};

/* All bytes behind the NUL of a string are 0. User name and password are bytes as the server wants
 * them; they need not be UTF-8. */
struct session_answer {
    uint32_t question; /* its number */
    uint32_t verdict;  /* enum session_verdict */
    char user[SESSION_SECRET_MAX];
    char password[SESSION_SECRET_MAX];
    char reason[SESSION_REASON_MAX];
};

#define TUNING_AUTO UINT32_MAX

/* What of the options the user changes while the session is up. */
struct session_tuning {
    uint32_t quality; /* JPEG quality, 0 to 9; TUNING_AUTO: it follows the path */
    uint32_t policy;  /* enum prp_policy (prerequest/event.h) */
    uint32_t prp_us;  /* PRP_FIXED, PRP_THESIS: the period, in microseconds; else 0 */
};

/* As struct play_wish (rfb/net/transport.h). */
struct session_playing {
    uint32_t paused, seeks; /* 0 or 1 */
    uint32_t place;         /* ms */
};

/* ---- to make, to read, to check ---- */

/* A copy of the head with `size` bytes of bulk behind it; the caller frees it. NULL when out of
 * memory. */
struct session_event *session_event_create(const struct session_event *head, const void *bulk,
                                           size_t size);
struct session_command *session_command_create(const struct session_command *head, const void *bulk,
                                               size_t size);

/* The bulk, which is a part of the message. NULL: the message has none, or another kind of bulk. */
const char *session_event_text(const struct session_event *e);
const uint32_t *session_event_pixels(const struct session_event *e); /* width * height, 0xAARRGGBB,
                                                                      * not premultiplied */
const struct session_question *session_event_question(const struct session_event *e);
const struct session_ticket *session_event_ticket(const struct session_event *e);
const char *session_command_text(const struct session_command *c);
const struct session_answer *session_command_answer(const struct session_command *c);
const struct session_tuning *session_command_tuning(const struct session_command *c);
const struct session_playing *session_command_playing(const struct session_command *c);

/* Whether a head can be right: its type, the ranges of its fields, and a size that its type can
 * have. */
bool session_event_head_valid(const struct session_event *head);
bool session_command_head_valid(const struct session_command *head);

/* Whether a whole message is right. With its bulk it takes `bytes` bytes. */
bool session_event_valid(const struct session_event *e, size_t bytes);
bool session_command_valid(const struct session_command *c, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
