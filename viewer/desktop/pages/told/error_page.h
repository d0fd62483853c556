/* What the window says of a connection that has failed: what it was that failed, what to do next,
 * and whether to try again may help.
 *
 * Pure. Texts that come in are fit to be shown; so are those that go out.
 */
#ifndef VNCHL_ERROR_PAGE_H
#define VNCHL_ERROR_PAGE_H

#include <stdbool.h>

#include "rfb/net/ssh/gateway.h"
#include "viewer/desktop/connection/connection.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ERROR_PAGE_TITLE_MAX 640 /* bytes, with the NUL */
#define ERROR_PAGE_NOW_MAX   (SESSION_REASON_MAX + 32)
#define ERROR_PAGE_WHY_MAX   (2 * ERROR_PAGE_NOW_MAX)
#define ERROR_PAGE_NEXT_MAX  800

struct error_page {
    char title[ERROR_PAGE_TITLE_MAX];
    /* The reason, as a sentence; empty: there is nothing to say. Before it stands why the session
     * was lost, if connecting again has failed for another reason. */
    char why[ERROR_PAGE_WHY_MAX];
    char next[ERROR_PAGE_NEXT_MAX]; /* what the person can do */
    const char *steps;              /* how, as lines; NULL: there is no more to say */
    bool retry;                     /* another attempt may help as it is */
    bool risky;                     /* and may be a mistake: the server may be hostile */
};

/* `server` is as the person has written it. `gateway` leads to it; without a host there is none. */
void error_page_make(const struct connection_status *status, const char *server,
                     const struct gateway *gateway, struct error_page *out);

/* Makes a sentence of a reason: a large letter in front, a full stop behind. Cuts what is too long.
 */
void error_page_sentence(const char *reason, char *out, size_t size);

#ifdef __cplusplus
}
#endif
#endif
