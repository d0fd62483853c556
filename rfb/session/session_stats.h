/* What is measured of a session, and what is remembered of it for the next one. Flat: it stands
 * beside the picture, where another process reads it.
 */
#ifndef VNCHL_SESSION_STATS_H
#define VNCHL_SESSION_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include "prerequest/know/response_parts.h"
#include "prerequest/meter.h"
#include "rfb/blocks/resolver.h"
#include "rfb/net/stream.h"
#include "rfb/proto/encodings/encodings.h"
#include "rfb/proto/handshake/security.h"
#include "rfb/proto/server_messages.h"
#include "rfb/texts/fingerprint.h"

/* How a connection to this server began. The next one needs fewer round trips with it
 * (docs/first-picture.md). */
struct session_memory {
    int minor;                              /* RFB 3.minor was spoken; 0: nothing that helps */
    enum security_number security, subtype; /* of struct security (proto/handshake/security.h) */
    int width, height;                      /* of the screen, when it began */
    bool waits; /* the server has to be asked one thing after the other: nothing is said early */
    bool hello_waits; /* it takes what is said early, but for TLS's ClientHello */
    int quality;    /* 1 + the step of quality that fitted (prerequest/decide/quality.h); 0: none */
    int64_t window; /* receive buffer that the path needed, bytes; 0: the kernel's own tuning */
};

#define SESSION_WORDS_MAX 64 /* bytes of a short text of ours, with its NUL */

/* What becomes of the server's sound. */
enum sound_state {
    SOUND_NONE, /* it has none, or nobody has asked */
    SOUND_ON,
    SOUND_MUTED, /* the user does not want it */
    SOUND_SLOW,  /* the path is not known to be good enough, and the user has not asked for it */
    SOUND_STATES
};

/* What came in an encoding. */
struct encoding_weight {
    uint64_t rectangles, bytes;
};

/* Everything measured up to now; docs/benchmark.md defines it. Flat. */
struct session_stats {
    struct meter meter;
    tick_t elapsed;                     /* since the first request, ns; 0 before it */
    double fps;                         /* meter_fps() */
    double prp_ms;                      /* the period now; 0: none */
    bool pushed;                        /* the server sends updates by itself now */
    bool blocks;                        /* and it does so in blocks (rfb/proto/blocks.h) */
    bool datagrams;                     /* which arrive as datagrams, too */
    struct accelerator_pushing pushing; /* by which policy, how fast and how good it says it does */
    int jpeg; /* quality of the newest block that came with loss in the last second; 0: none */
    uint64_t film_frames;              /* that came as H.264 (BLOCK_FILM) */
    uint64_t h264_unread;              /* rectangles of encoding 50 that could not be shown */
    bool film;                         /* some did in the last second */
    struct resolver_counts references; /* blocks that refer to what the viewer has */
    double rtt_ms;                     /* 0 when unknown */
    double queue_ms;                   /* this and the next three: struct scheduler_facts */
    double delivery_rate;              /* bytes per second; 0 when unknown */
    double busy;                       /* share of the downlink, 0..1 */
    unsigned in_flight;                /* requests */
    int quality, compress; /* the levels that the server is to use now; blocks have none */
    char quality_why[SESSION_WORDS_MAX]; /* why they changed last, in a few words */
    int64_t bytes_received; /* TCP payload as the kernel counts it; -1: not a TCP socket */
    int64_t bytes_sent;     /* the same, in the other direction */
    int64_t window_bytes; /* receive buffer that was set, as granted; 0: the kernel's own tuning */
    int width, height;
    char name[256];          /* the desktop's, when the session began; cut if longer */
    uint32_t encodings_seen; /* bit n: row n has come (rfb/proto/encodings/encodings.h) */
    struct encoding_weight weights[ENCODINGS_MAX]; /* by row */
    bool h264;        /* what came last was H.264, as updates (encoding 50) */
    tick_t heard_at;  /* when bytes came from the server last, as far as was seen */
    bool silent;      /* it did not answer a question that it has to answer (keep_alive.h) */
    bool ticket_used; /* the far end has answered to it (rfb/session/pictures/preview.h), */
    bool preview;     /* and a whole picture has come before the connection */
    bool rests;       /* nothing comes, nobody acts: there is nothing to look after */
    double answer_ms; /* how long such an answer took lately; 0: none was asked for */
    double decode_s;  /* CPU time of what decodes */
    uint64_t pixels;  /* in the rectangles that were decoded */
    bool recording;   /* what comes is recorded now */
    bool played;      /* it comes from a recording: */
    struct play_state play;
    uint32_t sound;                   /* enum sound_state */
    uint64_t sound_bytes, sound_late; /* that have come; of them dropped, because too many waited */
    bool certificate; /* the server showed one, or a key, that is verified, pinned or trusted */
    char security[SESSION_WORDS_MAX]; /* the security type's name; "" before the handshake */
    bool fingerprinted; /* the server has shown a certificate (DER) or a key: `sha256` is of it */
    uint8_t sha256[FINGERPRINT_BYTES];
    bool accelerated; /* an accelerator stands before the server; its congestion control, or "" */
    char congestion[ACCELERATOR_CONGESTION];
    bool key_codes, more_buttons;   /* the server takes: codes of keys, buttons 8 and 9 */
    bool extended_clipboard;        /* texts in UTF-8, when somebody pastes */
    double rtt_now_ms;              /* the newest round trip; 0 when unknown */
    double response_ms;             /* from input to its picture in the last second; 0: none */
    struct response_parts response; /* of the newest one whose parts are known, at any time */
    tick_t response_drawn;          /* when its picture was drawn, as rfb/system/clock.h has it */
    struct response_parts response_mean; /* of the session, of so many: */
    int64_t responses;
    struct session_memory memory; /* for the next session with this server; width 0: not yet */
    /* The rule that wants the next request (prerequest/rules.h); empty: none does. */
    char rule[SESSION_WORDS_MAX];
    double cpu_s; /* CPU time of the session's process, where it has one of its own; else 0 */
};

#endif
