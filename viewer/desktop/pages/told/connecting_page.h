/* What the window says while a server is connected to, or is waited for.
 *
 * Pure. Texts that come in are fit to be shown; so are those that go out.
 */
#ifndef VNCHL_CONNECTING_PAGE_H
#define VNCHL_CONNECTING_PAGE_H

#include <stdbool.h>

#include "rfb/net/address/candidates.h"

#ifdef __cplusplus
extern "C" {
#endif

struct connecting {
    const char *server;    /* as people name it; with `listens` where it is waited for */
    bool listens;          /* it is to come to us */
    const char *entered;   /* then: what is entered there, as a sentence */
    const char *came;      /* then: who has come; empty: nobody yet */
    const char *waits_for; /* what keeps an answer back; NULL: nothing that is known */
};

struct connecting_page {
    char title[CANDIDATES_TEXT + 32];
    char text[CANDIDATES_TEXT]; /* empty: there is nothing to say */
};

void connecting_page_make(const struct connecting *c, struct connecting_page *out);

#ifdef __cplusplus
}
#endif
#endif
