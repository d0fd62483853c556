/* The encodings this client knows, by name and number. */
#ifndef VNCHL_ENCODINGS_H
#define VNCHL_ENCODINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/proto/encodings/encoding_rows.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Pixel encodings: ENCODING_TIGHT = 7, ... */
enum encoding {
#define ENCODING_NUMBER(name, text, number, ...) ENCODING_##name = number,
    ENCODING_ROWS(ENCODING_NUMBER, ENCODING_NUMBER)
#undef ENCODING_NUMBER
};

/* Pseudo-encodings: messages dressed as rectangles. */
enum pseudo_encoding {
    PSEUDO_QUALITY_0 = -32,
    PSEUDO_DESKTOP_SIZE = -223,
    PSEUDO_LAST_RECT = -224,
    PSEUDO_RICH_CURSOR = -239,
    PSEUDO_X_CURSOR = -240,
    PSEUDO_COMPRESS_0 = -256,
    PSEUDO_POINTER_STEPS = -257, /* QEMU's pointer motion change */
    PSEUDO_KEY_CODES = -258,     /* QEMU's extended key events */
    PSEUDO_QEMU_AUDIO = -259,    /* sound (extensions/qemu_audio.h) */
    PSEUDO_LEDS = -261,
    PSEUDO_DESKTOP_NAME = -307,
    PSEUDO_EXTENDED_DESKTOP_SIZE = -308,
    PSEUDO_FENCE = -312,
    PSEUDO_CONTINUOUS_UPDATES = -313,
    PSEUDO_ALPHA_CURSOR = -314,
    PSEUDO_EXTENDED_BUTTONS = -316,
    PSEUDO_EXTENDED_CLIPBOARD = -0x3f5e1a32, /* 0xc0a1e5ce */
    /* Who sends this tells by it what it does with requests (prerequest/know/server_kind.h). */
    PSEUDO_TIMESTAMP = -1000,            /* neatvnc before 0.8: the picture's time */
    PSEUDO_SERVER_IDENTITY = -(0x1fffd), /* libvncserver, so x11vnc: its name; 0xfffe0003 */
    PSEUDO_ACCELERATOR = 0x56484c41,     /* ours: an accelerator stands before the server */
    PSEUDO_PUSHING = 0x56484c50,         /* ours: it may say again and again how it pushes */
    PSEUDO_TURNAROUND = 0x56484c54,      /* ours: and how long input took there */
    PSEUDO_REFERENCES = 0x56484c52,      /* ours: blocks may refer to what the viewer has */
    PSEUDO_FORETOLD = 0x56484c53,        /* ours: and be text that both ends foretell */
    PSEUDO_KEPT_0 = 0x56484b00,          /* ours: so many MiB more are for tiles that they name */
    PSEUDO_FILM = 0x56484c46,            /* ours: blocks may be of a film (BLOCK_FILM) */
};

/* What other viewers ask for and this client does not. Only who passes a connection on needs them
 * (rfb/framing/). */
enum foreign_encoding {
    FOREIGN_ZLIBHEX = 8,
    FOREIGN_ULTRA = 9,
    FOREIGN_ULTRA_2 = 10,
    FOREIGN_TRLE = 15,
    FOREIGN_ZYWRLE = 17,
    FOREIGN_QUALITY_9 = -23,
    FOREIGN_POINTER_POSITION = -232,
    FOREIGN_COMPRESS_9 = -247,
    FOREIGN_TIGHT_PNG = -260,
    FOREIGN_GII = -305,
    FOREIGN_XVP = -309,
    FOREIGN_TIGHT_STORED = -317, /* Tight may come without zlib */
    FOREIGN_FINE_QUALITY_0 = -512,
    FOREIGN_FINE_QUALITY_100 = -412,
    FOREIGN_SUBSAMPLING_FIRST = -768,
    FOREIGN_SUBSAMPLING_LAST = -763,
    FOREIGN_VMWARE_CURSOR = 0x574d5664,
    FOREIGN_VMWARE_CURSOR_STATE = 0x574d5665,
    FOREIGN_VMWARE_CURSOR_POSITION = 0x574d5666,
    FOREIGN_VMWARE_KEY_REPEAT = 0x574d5667,
    FOREIGN_VMWARE_LEDS = 0x574d5668,
    FOREIGN_VMWARE_MACHINE_STATE = 0x574d566a,
    /* of libvncserver; 0xfffe0000 and behind it */
    FOREIGN_KEYBOARD_LEDS = -0x20000,
    FOREIGN_SUPPORTED_MESSAGES = -0x1ffff,
    FOREIGN_SUPPORTED_ENCODINGS = -0x1fffe,
};

/* How many pixel encodings there are. */
enum {
#define ENCODING_ROW(name, ...) ENCODING_ROW_##name,
    ENCODING_ROWS(ENCODING_ROW, ENCODING_ROW)
#undef ENCODING_ROW
        ENCODINGS_MAX
};

/* "tight, zrle, ...", all there are. */
#define ENCODING_FIRST_NAME(name, text, ...) text
#define ENCODING_NEXT_NAME(name, text, ...)  ", " text
#define ENCODING_NAMES                       ENCODING_ROWS(ENCODING_FIRST_NAME, ENCODING_NEXT_NAME)

#define ENCODINGS_DEFAULT "h264,tight,copyrect,zrle,hextile,raw"

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
    bool push;         /* the server may send updates by itself (extensions/push.h) */
    bool clipboard;    /* the clipboard may be extended (extensions/extended_clipboard.h) */
    bool key_codes;    /* keys may be sent with the code of their place */
    bool steps;        /* the pointer may be sent as steps (client_write_step()) */
    bool sound;        /* the server may say that it has sound (extensions/qemu_audio.h) */
    bool blocks;       /* pictures may come as blocks that a far end pushes (rfb/proto/blocks.h) */
    unsigned kept_mib; /* MiB for tiles (rfb/proto/blocks.h) */
    bool pushing;      /* and the far end may say how it does (PSEUDO_PUSHING, PSEUDO_TURNAROUND) */
    bool film;         /* and what moves may come as H.264 (PSEUDO_FILM) */
    bool no_screens;   /* the server is not to tell of its screens */
    bool no_buttons;   /* it is not told that there are more than eight */
};

/* "tight,zrle": comma or space between names. Fails on an unknown name, and on zlib with zrle
 * (the library keeps one inflate stream for the two). */
bool encoding_list_parse(struct encoding_list *list, const char *text, struct reason *why);

bool encoding_list_has(const struct encoding_list *list, int32_t number);

/* It is not offered any more, if it was. */
void encoding_list_drop(struct encoding_list *list, int32_t number);

/* The place of the encoding that a server without H.264 takes: the first one besides that. 0 also
 * where there is no other. */
int encoding_list_main(const struct encoding_list *list);

/* All there are. */
void encoding_list_all(struct encoding_list *list);

/* "tight" for 7; NULL for a number that is no pixel encoding of ours. */
const char *encoding_name(int32_t number);

/* The place of an encoding in the table, from 0; -1 for a number that is no pixel encoding of ours.
 * And the other way round. */
int encoding_row(int32_t number);
int32_t encoding_number(int row);

#ifdef __cplusplus
}
#endif
#endif
