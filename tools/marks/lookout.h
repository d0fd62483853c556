/* Where in a picture the marks are: looks for them once, then reads the places it remembers.
 *
 * Pure: the caller passes the picture and `now`. A look at known places costs microseconds; a
 * search of the whole picture up to some milliseconds, so that it is done seldom: often (20 Hz)
 * until the first frame mark was seen and when that has been gone for a second, rarely for marks
 * that the content may not have. At the beginning a picture that has changed is searched within
 * LOOKOUT_SEARCH_SOON, a few times: when the first frame was seen is a figure of its own. A window
 * that moves by a pixel or two leaves its marks readable: so each place is made exact again once in
 * LOOKOUT_SEARCH_RARELY. Value type, no allocation.
 */
#ifndef VNCHL_LOOKOUT_H
#define VNCHL_LOOKOUT_H

#include <stdbool.h>

#include "prerequest/tick.h"
#include "tools/marks/mark.h"
#include "tools/marks/sightings.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LOOKOUT_SEARCH_SOON   (5 * TICK_MS)
#define LOOKOUT_SEARCH_OFTEN  (50 * TICK_MS)
#define LOOKOUT_SEARCH_RARELY (TICK_S)
#define LOOKOUT_LOST_AFTER    (TICK_S)

struct lookout_place {
    bool known;
    int x, y;
    tick_t seen;  /* when a mark was last read there */
    tick_t exact; /* when the place was found, or last made exact */
};

struct lookout {
    struct lookout_place places[SIGHTING_KINDS];
    int width, height; /* of the picture: another size is another picture */
    tick_t searched;   /* TICK_NEVER: not yet */
    tick_t found;      /* when the first mark was; TICK_NEVER: not yet */
    uint32_t sample;   /* of the pixels that were searched */
    unsigned soon;     /* so many searches may still come soon */
};

void lookout_init(struct lookout *l);

/* What the picture shows. */
void lookout_look(struct lookout *l, const struct mark_picture *p, tick_t now,
                  struct sighting *out);

#ifdef __cplusplus
}
#endif
#endif
