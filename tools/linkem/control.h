/* Settings of the link that somebody writes while it runs, one NAME=VALUE a line, into a FIFO
 * (--control). So a script can cut the link when something has happened, and not at a time that was
 * known before.
 *
 * One thread. A line that is wrong is named on stderr and changes nothing.
 */
#ifndef VNCHL_LINKEM_CONTROL_H
#define VNCHL_LINKEM_CONTROL_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/linkem/link/link.h"

#define LINKEM_LINE_MAX 160

struct linkem_control {
    int fd; /* -1: there is none */
    char line[LINKEM_LINE_MAX];
    size_t size;   /* of the line that has begun */
    bool too_long; /* the rest of the line is left out, too */
};

/* Opens the FIFO, which has to be there. NULL as the path: there is none. False after a line on
 * stderr. */
bool linkem_control_open(struct linkem_control *c, const char *path);

/* Safe where there is none. */
void linkem_control_close(struct linkem_control *c);

/* Applies all complete lines that have been written. */
void linkem_control_read(struct linkem_control *c, struct linkem_link *link);

#endif
