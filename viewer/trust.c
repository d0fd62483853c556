#include "viewer/trust.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "rfb/log.h"
#include "viewer/known_servers.h"

static void refuse_changed(struct session *s, const struct session_question *q,
                           const struct known_server *known)
{
    char before[FINGERPRINT_TEXT], now[FINGERPRINT_TEXT], path[PATH_MAX] = "";
    struct reason why;

    fingerprint_text(known->sha256, before);
    fingerprint_text(q->sha256, now);
    known_servers_path(path, sizeof path, &why);
    reason_set(&why,
               "THE CERTIFICATE OF %.80s HAS CHANGED. Somebody may stand in between, or the server "
               "has a new one. Accepted on %s: SHA-256 %s; shown now: SHA-256 %s. If the new one "
               "is right, remove line %u of %s and connect again",
               q->host, known->date, before, now, known->line, path);
    session_refuse(s, q->number, why.text);
}

bool trust_answer(struct session *s, const struct session_question *q)
{
    struct known_server known;
    struct reason why;

    if (!q->acceptable) {
        session_answer_trust(s, q->number, false);
        return true;
    }
    switch (known_servers_check(q->host, q->port, q->sha256, &known, &why)) {
    case KNOWN_SAME:
        log_debug("the certificate of %s was accepted on %s", q->host, known.date);
        session_answer_trust(s, q->number, true);
        return true;
    case KNOWN_CHANGED:
        refuse_changed(s, q, &known);
        return true;
    case KNOWN_FAILED:
        session_refuse(s, q->number, why.text);
        return true;
    case KNOWN_NOT:
        break;
    }
    return false;
}

void trust_accept(struct session *s, const struct session_question *q)
{
    struct reason why;

    if (!known_servers_add(q->host, q->port, q->sha256, time(NULL), &why))
        log_line("the certificate is accepted for this time only, it cannot be remembered: %s",
                 why.text);
    session_answer_trust(s, q->number, true);
}

void trust_refuse_unasked(struct session *s, const struct session_question *q)
{
    char fingerprint[FINGERPRINT_TEXT];
    struct reason why;

    fingerprint_text(q->sha256, fingerprint);
    reason_set(&why,
               "the server's certificate is not accepted: %.300s. To accept exactly this one: run "
               "on a terminal, or with --fingerprint %s",
               q->faults, fingerprint);
    session_refuse(s, q->number, why.text);
}

void trust_question(const struct session_question *q, char out[TRUST_QUESTION_MAX])
{
    char fingerprint[FINGERPRINT_TEXT];

    fingerprint_text(q->sha256, fingerprint);
    snprintf(out, TRUST_QUESTION_MAX,
             "Nobody this machine trusts vouches that this is really %s.\n"
             "Its certificate: %s.\n"
             "SHA-256 fingerprint:\n%s\n"
             "Compare it with what the server's owner tells you. Whoever accepts a wrong one\n"
             "shows the screen, the keys and the password to somebody else.",
             *q->host ? q->host : "the server", q->faults, fingerprint);
}

/* Whether nothing between here and there could listen: the server runs on this machine, or a tunnel
 * begins here. */
static bool is_local(const struct session_question *q)
{
    bool number = strspn(q->host, "0123456789.") == strlen(q->host);

    return *q->host == '/' || strcasecmp(q->host, "localhost") == 0 ||
           (number && strncmp(q->host, "127.", 4) == 0) || strcmp(q->host, "::1") == 0;
}

const char *trust_warning(const struct session_question *q)
{
    bool plain = q->kind == QUESTION_USER_PASSWORD;

    if (is_local(q))
        return NULL;
    switch (q->channel) {
    case CHANNEL_CLEAR:
        return plain ? "Not encrypted: everybody on the way can read the password."
                     : "Not encrypted: everybody on the way can see the screen and the keys.";
    case CHANNEL_ANONYMOUS:
        return plain ? "Encrypted, but nobody vouches for the server: somebody in between would "
                       "get the password."
                     : "Encrypted, but nobody vouches for the server: somebody in between would "
                       "see the screen and the keys.";
    default:
        return NULL;
    }
}

bool trust_had_certificate(const struct address *a)
{
    return *a->path ? known_servers_has(a->path, 0) : known_servers_has(a->host, a->port);
}
