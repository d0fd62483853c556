/* Answers to what a session asks. The password comes from a vncpasswd file, the environment, the
 * keyring (`saves`), or a prompt. A certificate that cannot be verified is accepted when it was
 * before (trust.h), or by a person at the prompt.
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
#include "viewer/keyring.h"
#include "viewer/prompt.h"
#include "viewer/server_key.h"
#include "viewer/trust.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a person is asked. */
struct asker_question {
    struct prompt_options prompt;           /* as a prompt on the terminal would ask it */
    const struct session_question *session; /* as the session asks */
    const char *refused; /* why the server did not take the last answer; NULL: there was none */
    const char *user;    /* the user name in it; NULL: there was none */
};

/* Asks in place of the prompt: a dialog in the window. In the thread that owns the session. */
struct asker {
    /* Returns at once. Later, in the same thread, `done` or `decided` of the prompt is called, or
     * cancel() comes first. What `q` points to is valid during the call only. */
    void (*ask)(void *user, const struct asker_question *q);
    void (*cancel)(void *user); /* nobody waits for the answer any more, if one was waited for */
    void *user;
};

struct credentials {
    bool from_file;
    char file_password[VNCAUTH_PASSWORD + 1];
    const char *given_name;            /* NULL: none; the caller's */
    char *typed_name, *typed_password; /* asked once, used for every connection of this run */
    struct prompt *prompt;             /* NULL: nobody types */
    bool saves;                        /* in the keyring, and looks there */
    bool looked;                       /* in the keyring, once in a run */
    bool unsaved;                      /* what was typed is not in the keyring */
    struct keyring_save *saving;       /* NULL: nothing is being saved */
    struct asker asker;                /* without functions: the prompt asks */
    bool answered;                     /* the session got a name and a password */
    bool given_refused;                /* what was given is wrong: only what is typed counts */
    struct reason refused;             /* why, for whoever is asked again; empty: never refused */
    struct session *session;           /* which asked last */
    struct session_question question;
    char key[SERVER_KEY_MAX];        /* of the server that asked it */
    char notice[TRUST_QUESTION_MAX]; /* what the prompt shows first */
    char warning[TRUST_WARNING_MAX]; /* the same, before a password */
    struct trust_change change;      /* in the last question about a certificate */
    struct session_question trusted; /* its certificate was accepted; number 0: none was */
    bool warned;                     /* of a server that gets the password unprotected */
};

/* Reads the file, if one is named, so that a bad one is reported before anything else happens. */
bool credentials_init(struct credentials *c, const char *passwd_file, struct reason *why);
void credentials_deinit(struct credentials *c);

/* What the user or a connection file has named; NULL: nothing. It counts more than the environment.
 * A password file counts more than `password`. `user` outlives the credentials. */
void credentials_give(struct credentials *c, const char *user, const char *password);

/* Answers a SESSION_QUESTION, at once or when the person has typed. Returns at once. What was typed
 * for one server is not told to another. */
void credentials_answer(struct credentials *c, struct session *s, const struct session_question *q);

/* The server has let the session in: what was typed is right, and saved if that is wanted. */
void credentials_accepted(struct credentials *c);

/* From now on the asker, which is copied, asks instead of the prompt. NULL: the prompt again. */
void credentials_set_asker(struct credentials *c, const struct asker *asker);

/* The server has refused a name or password, for the reason `why`. True: it had been told them, and
 * a person can be asked for others, so that another session is worth while. */
bool credentials_ask_again(struct credentials *c, const struct reason *why);

/* Nobody answers the session any more: before it is destroyed. */
void credentials_cancel(struct credentials *c);

#ifdef __cplusplus
}
#endif
#endif
