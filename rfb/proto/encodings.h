/* The encodings this client knows, by name and number. */
#ifndef VNCHL_ENCODINGS_H
#define VNCHL_ENCODINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Pixel encodings libvncclient decodes and this client is willing to hand it. */
enum encoding {
    ENCODING_RAW = 0,
    ENCODING_COPYRECT = 1,
    ENCODING_RRE = 2,
    ENCODING_CORRE = 4,
    ENCODING_HEXTILE = 5,
    ENCODING_ZLIB = 6,
    ENCODING_TIGHT = 7,
    ENCODING_ZRLE = 16,
};

/* Pseudo-encodings: messages dressed as rectangles. */
enum pseudo_encoding {
    PSEUDO_QUALITY_0 = -32,
    PSEUDO_DESKTOP_SIZE = -223,
    PSEUDO_LAST_RECT = -224,
    PSEUDO_RICH_CURSOR = -239,
    PSEUDO_X_CURSOR = -240,
    PSEUDO_COMPRESS_0 = -256,
    PSEUDO_KEY_CODES = -258, /* QEMU's extended key events */
    PSEUDO_LEDS = -261,
    PSEUDO_DESKTOP_NAME = -307,
    PSEUDO_EXTENDED_DESKTOP_SIZE = -308,
    PSEUDO_FENCE = -312,
    PSEUDO_CONTINUOUS_UPDATES = -313,
    PSEUDO_ALPHA_CURSOR = -314,
    PSEUDO_EXTENDED_BUTTONS = -316,
    PSEUDO_EXTENDED_CLIPBOARD = -0x3f5e1a32, /* 0xc0a1e5ce */
    /* Who sends this tells by it what it does with requests (prerequest/know/server_kind.h). */
    PSEUDO_TIMESTAMP = -1000,            /* neatvnc: when the picture was taken */
    PSEUDO_SERVER_IDENTITY = -(0x1fffd), /* libvncserver, so x11vnc: its name; 0xfffe0003 */
};

#define ENCODINGS_MAX     8 /* pixel encodings there are */
#define ENCODINGS_DEFAULT "tight,copyrect,zrle,hextile,raw"

/* The pixel encodings to offer, in order of preference. */
struct encoding_list {
    int32_t number[ENCODINGS_MAX];
    int count;
};

/* A level that follows the path (prerequest/decide/quality.h). */
#define LEVEL_AUTO (-1)

/* What SetEncodings says. */
struct encoding_options {
    struct encoding_list list;
    int quality;       /* JPEG quality 0..9, or LEVEL_AUTO */
    int compress;      /* compression level 0..9, or LEVEL_AUTO */
    bool jpeg;         /* false: no quality level is sent, so the server stays lossless */
    bool local_cursor; /* the client draws the pointer's shape itself */
    bool push;         /* the server may send updates by itself (rfb/proto/push.h) */
    bool clipboard;    /* the clipboard may be extended (rfb/proto/extended_clipboard.h) */
    bool key_codes;    /* keys may be sent with the code of their place */
};

/* "tight,zrle": comma or space between names. Fails on an unknown name, and on zlib with zrle
 * (the library keeps one inflate stream for the two). */
bool encoding_list_parse(struct encoding_list *list, const char *text, struct reason *why);

bool encoding_list_has(const struct encoding_list *list, int32_t number);

/* "tight" for 7; NULL for a number that is no pixel encoding of ours. */
const char *encoding_name(int32_t number);

#ifdef __cplusplus
}
#endif
#endif
