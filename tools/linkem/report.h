/* What went through the link: in words, and as JSON for scripts (docs/linkem.md has the keys). */
#ifndef VNCHL_LINKEM_REPORT_H
#define VNCHL_LINKEM_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "tools/linkem/hosts/host.h"
#include "tools/linkem/link/link.h"

struct linkem_report {
    const struct linkem_link *link;
    const struct linkem_host *hosts; /* LINKEM_SIDES of them, their drops read */
    const struct linkem_options *options;
    tick_t duration; /* of COMMAND */
    int status;      /* of COMMAND */
};

void linkem_report_words(const struct linkem_report *r, FILE *to);

/* False after a line on stderr. */
bool linkem_report_json(const struct linkem_report *r, FILE *to);

#endif
