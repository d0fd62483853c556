/* What the window says of a server that a person has to trust: the question about its certificate
 * or its key, and that these have changed.
 *
 * Pure. Texts that come in are fit to be shown; so are those that go out.
 */
#ifndef VNCHL_TRUST_PAGE_H
#define VNCHL_TRUST_PAGE_H

#include "rfb/net/address/candidates.h"
#include "rfb/session/session.h"
#include "rfb/texts/fingerprint.h"
#include "viewer/trust/trust.h"
#include "viewer/ui/ui.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A fingerprint, as the person sees it and as it is copied. */
struct trust_page_code {
    char rows[FINGERPRINT_TEXT], line[FINGERPRINT_TEXT];
};

/* May not be copied: the dialog points into it, and into what it was made of. */
struct trust_page {
    struct ui_dialog dialog; /* without who is told the answer */
    char title[CANDIDATES_TEXT + 64];
    char warning[SESSION_REASON_MAX + 64];
    char label[64];
    struct trust_page_code codes[UI_CODES];
};

/* Whether this is `server`, whose certificate or key is not known. */
void trust_page_ask(const struct session_question *q, const char *server, struct trust_page *out);

/* That `server` shows another one. The dialog has no text yet on the button that leaves. */
void trust_page_change(const struct trust_change *change, const char *server,
                       struct trust_page *out);

#ifdef __cplusplus
}
#endif
#endif
