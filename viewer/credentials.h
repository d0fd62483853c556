/* Answers to what a session asks. The password comes from a vncpasswd file, the environment, or a
 * prompt. A certificate that cannot be verified is not trusted.
 *
 * The thread that owns the session. While a person types, the prompt's thread has the typed
 * strings, and answers.
 */
#ifndef VNCHL_CREDENTIALS_H
#define VNCHL_CREDENTIALS_H

#include <stdbool.h>

#include "rfb/proto/vncauth.h"
#include "rfb/reason.h"
#include "rfb/session/session.h"
#include "viewer/prompt.h"

#ifdef __cplusplus
extern "C" {
#endif

struct credentials {
    bool from_file;
    char file_password[VNCAUTH_PASSWORD + 1];
    const char *given_name;            /* NULL: none; the caller's */
    char *typed_name, *typed_password; /* asked once, used for every connection of this run */
    struct prompt *prompt;             /* NULL: nobody types */
    struct session *session;           /* which asked last */
    struct session_question question;
};

/* Reads the file, if one is named, so that a bad one is reported before anything else happens. */
bool credentials_init(struct credentials *c, const char *passwd_file, struct reason *why);
void credentials_deinit(struct credentials *c);

/* What the user or a connection file has named; NULL: nothing. It counts more than the environment.
 * A password file counts more than `password`. `user` outlives the credentials. */
void credentials_give(struct credentials *c, const char *user, const char *password);

/* Answers a SESSION_QUESTION, at once or when the person has typed. Returns at once. */
void credentials_answer(struct credentials *c, struct session *s, const struct session_question *q);

/* Nobody answers the session any more: before it is destroyed. */
void credentials_cancel(struct credentials *c);

#ifdef __cplusplus
}
#endif
#endif
