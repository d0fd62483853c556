/* The servers that were shown last, and the last picture of each: for the start window.
 *
 * In $XDG_STATE_HOME/vnchl, or ~/.local/state/vnchl: the file `recent`, a line
 * "ADDRESS TAB NAME [TAB WAY]" each, the last one first, and a picture `recent-NUMBER.ppm` for each
 * of them. Only the user can read them. What is damaged is not there: this is a convenience, and no
 * reason to fail.
 *
 * UI thread. A value type that owns the pixels.
 */
#ifndef VNCHL_RECENT_H
#define VNCHL_RECENT_H

#include <stdbool.h>
#include <stdint.h>

#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A picture made small enough to be recognised beside an address. Pure. */
#define THUMBNAIL_W 320 /* pixels; no thumbnail is wider */
#define THUMBNAIL_H 200

/* The size for a picture of width x height: as large as fits, in its shape, never larger than the
 * picture, at least 1 x 1. */
void thumbnail_size(int width, int height, int *w, int *h);

/* Each pixel of `out` (w * h, 0x00RRGGBB) is the mean of those of `in` (width * height) that it
 * covers. w and h as thumbnail_size() tells. */
void thumbnail_make(const uint32_t *in, int width, int height, uint32_t *out, int w, int h);

#define RECENT_MAX         12
#define RECENT_ADDRESS_MAX 300 /* bytes with the NUL */
#define RECENT_NAME_MAX    256
#define RECENT_WAY_MAX     300

/* The same address by another way is another server. */
struct recent_server {
    char address[RECENT_ADDRESS_MAX]; /* as address_parse() takes it; may be empty with a way */
    char way[RECENT_WAY_MAX];         /* whatever its owner takes it for; empty: straight there */
    char name[RECENT_NAME_MAX];       /* the desktop's; may be empty */
    uint32_t *pixels;                 /* 0x00RRGGBB, malloc'ed; NULL: no picture */
    int width, height;
};

struct recent {
    struct recent_server servers[RECENT_MAX]; /* the last one first */
    int count;
};

/* Reads the list, with the pictures if `pictures`. An empty one when there is none. */
void recent_load(struct recent *r, bool pictures);
void recent_deinit(struct recent *r);

/* Puts a server in front of the list, and writes it, with a small copy of its picture (width *
 * height of 0x00RRGGBB). */
bool recent_remember(const char *address, const char *way, const char *name, const uint32_t *pixels,
                     int width, int height, struct reason *why);

/* Takes a server out of the list, and its picture. True, too, when it is not there. */
bool recent_forget(const char *address, const char *way, struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
