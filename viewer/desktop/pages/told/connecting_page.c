#include "viewer/desktop/pages/told/connecting_page.h"

#include <stdio.h>

/* A server that has come is not told where to go any more. */
void connecting_page_make(const struct connecting *c, struct connecting_page *out)
{
    const bool came = c->listens && *c->came, awaited = c->listens && !came;

    snprintf(out->title, sizeof out->title,
             awaited ? "Waiting for a server on %s..." : "Connecting to %s...",
             came ? c->came : c->server);
    if (c->waits_for)
        snprintf(out->text, sizeof out->text, "Waiting for %s.", c->waits_for);
    else
        snprintf(out->text, sizeof out->text, "%s",
                 came      ? "Waiting for the server's answer."
                 : awaited ? c->entered
                           : "");
}
