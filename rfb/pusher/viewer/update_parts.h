/* What an update of the server has changed, until the picture is a whole one. */
#ifndef VNCHL_UPDATE_PARTS_H
#define VNCHL_UPDATE_PARTS_H

#include <stdbool.h>

#include "rfb/region.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Parts that are told to the plan one by one. Of more, all of the picture counts as changed.
 * Chosen: servers send a few, or whole screens in tiles. */
#define UPDATE_PARTS 4096

/* It was drawn, or copied from another place. */
struct update_part {
    struct rect area;
    bool copied;
    int from_x, from_y;
};

struct update_parts {
    struct update_part part[UPDATE_PARTS];
    unsigned count;
};

void update_parts_add(struct update_parts *p, const struct update_part *part);

/* Makes one copy of several that move the same way, where they are nearly all of a rectangle: a
 * server leaves out a pixel that something else was drawn over. What is between them counts as
 * changed. */
void update_parts_join(struct update_parts *p);

#ifdef __cplusplus
}
#endif
#endif
