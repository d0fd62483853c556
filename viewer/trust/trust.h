/* Whether a server is trusted: what is decided without a person, and what is said to one.
 *
 * A certificate that cannot be verified, or a bare RSA key, is looked up among those that were
 * accepted before (known_servers.h). Whoever owns the session calls trust_answer() first. When that
 * has not answered, a person is asked, by whatever means there are: a prompt, a dialog. Then
 * trust_accept() answers, or session_answer_trust(): with true for this time only.
 *
 * Any thread. docs/security.md has the rules.
 */
#ifndef VNCHL_TRUST_H
#define VNCHL_TRUST_H

#include <stdbool.h>
#include <stddef.h>

#include "rfb/session/session.h"
#include "viewer/servers/server_key.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A server that shows another certificate, or another key, than was accepted before. */
struct trust_change {
    bool there;  /* else there is none, and the rest is 0 */
    bool is_key; /* what it shows now is a bare key */
    char host[SESSION_HOST_MAX];
    char key[SERVER_KEY_MAX];
    unsigned port;
    char date[11]; /* of the acceptance: "2026-11-22" */
    uint8_t before[FINGERPRINT_BYTES], now[FINGERPRINT_BYTES];
};

/* Answers a QUESTION_TRUST for which no person is needed: the certificate is known, has changed, or
 * may not be accepted. False: it is not answered, a person has to be asked. `change` says whether
 * it has changed. */
bool trust_answer(struct session *s, const struct session_question *q, struct trust_change *change);

/* The person forgets on purpose what was accepted before: the next session asks as for a server
 * that is not known. */
bool trust_forget(const struct trust_change *change, struct reason *why);

/* The person accepts the certificate: answers, and remembers it. When it cannot be remembered, a
 * line says so and the session goes on. */
void trust_accept(struct session *s, const struct session_question *q);

/* There is no way to ask: refuses, and says how to accept the certificate. */
void trust_refuse_unasked(struct session *s, const struct session_question *q);

/* Bytes that a question has room in, with its NUL. */
#define TRUST_QUESTION_MAX                                                                         \
    (SESSION_HOST_MAX + SESSION_REASON_MAX + SESSION_SUBJECT_MAX + FINGERPRINT_TEXT + 600)

/* Whether the question is about a bare RSA key. Then q->brief and trust_subject() say what is known
 * of it, and it never expires. */
bool trust_is_key(const struct session_question *q);

/* What the certificate says of itself, as a person reads it where it does not say. */
const char *trust_subject(const struct session_question *q);
const char *trust_expires(const struct session_question *q);

/* The question for a person: what is wrong, what the certificate says of itself, and the
 * fingerprint. Lines without the last '\n'. */
void trust_question(const struct session_question *q, char out[TRUST_QUESTION_MAX]);

/* Bytes of a warning, with its NUL. */
#define TRUST_WARNING_MAX (4 * SESSION_HOST_MAX + 360)

/* What a person should know before a password goes to the server, as a sentence or two. False, and
 * an empty text: nothing, it is well protected or does not leave this machine. */
bool trust_warning(const struct session_question *q, char out[TRUST_WARNING_MAX]);

#define TRUST_BETWEEN_MAX (SESSION_HOST_MAX + 16)

/* Behind the server that asks, the machine that leads to it: " at desk", " through gate". Empty:
 * there is none. Returns `out`. */
const char *trust_between(const struct session_question *q, char out[TRUST_BETWEEN_MAX]);

/* The look_back of a session. `seen` is the run's struct seen_servers.
 *
 * *had: this server showed a certificate that was accepted, or vouched for: in this run, or in an
 * earlier one that has remembered it. */
bool trust_had_certificate(void *seen, const struct address *server, const struct route *route,
                           bool *had, struct reason *why);

/* It has shown one now. That an authority has vouched for it is remembered for later runs, too, if
 * that is wanted (seen_servers_set_written()). What a person accepts is remembered by
 * trust_accept(). */
void trust_saw_certificate(void *seen, const struct address *server, const struct route *route,
                           bool vouched);

/* Where a session has ended because a server has no certificate any more, adds to the line how that
 * is forgotten. */
void trust_add_advice(struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
