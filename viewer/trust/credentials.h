/* Answers to what a session asks. The password comes from a vncpasswd file, the environment, the
 * keyring, or a person at a prompt. It remembers what it was given for (purpose.h): where that is
 * not what the server wants now, a person is asked first. A certificate that cannot be verified is
 * accepted when it was before (trust.h), or by a person.
 *
 * The thread that owns the session. While a person types, the prompt's thread has the typed
 * strings, and answers.
 */
#ifndef VNCHL_CREDENTIALS_H
#define VNCHL_CREDENTIALS_H

#include <stdbool.h>

#include "rfb/proto/handshake/vncauth.h"
#include "rfb/session/session.h"
#include "rfb/texts/reason.h"
#include "viewer/servers/server_key.h"
#include "viewer/trust/keyring.h"
#include "viewer/trust/prompt.h"
#include "viewer/trust/purpose.h"
#include "viewer/trust/seen_servers.h"
#include "viewer/trust/trust.h"

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
    /* The session has asked, and the answer waits for something else than a person: `what`, a text
     * that stays. NULL: not any more. */
    void (*wait)(void *user, const char *what);
    void (*cancel)(void *user); /* nobody waits for the answer any more, if one was waited for */
    void *user;
};

/* Bytes of a question whether a password may go, with its NUL. */
#define CREDENTIALS_SEND_MAX (SESSION_HOST_MAX + 64)

/* What is known before a server asks. Zeroed: nothing. */
struct credentials_options {
    const char *user; /* counts more than VNC_USERNAME; NULL: none; outlives the credentials */
    const char *passwd_file;   /* NULL: none */
    bool named;                /* the file is named by the command line itself */
    const char *password;      /* of a connection file, for the server that it names; NULL: none */
    bool asked;                /* the server is named by a link or a connection file */
    bool listens;              /* the server is whoever comes */
    security_set types;        /* that the command line itself names; 0: none */
    bool save;                 /* in the keyring, and looks there; not with `listens` */
    bool noted;                /* a server may be noted in a file (remembered.h) */
    struct seen_servers *seen; /* of this run; NULL: none; outlives the credentials */
};

struct credentials {
    struct credentials_options options; /* but for the file and the password */
    bool from_file;                     /* or from a connection file */
    char file_password[VNCAUTH_PASSWORD + 1];
    struct purpose given_for;          /* the file's password, or the environment's */
    char *typed_name, *typed_password; /* by a person, or found in the keyring */
    struct purpose typed_for;
    struct prompt *prompt;        /* NULL: nobody types */
    struct keyring_find *finding; /* NULL: nothing is looked up */
    bool looked;                  /* in the keyring, once in a run */
    bool unsaved;                 /* the typed password is to be saved when it is right */
    bool keeps;                   /* this server's is to be in the keyring */
    bool keep_said;               /* a person has said so, or the contrary */
    struct keyring_save *saving;  /* NULL: nothing is being saved */
    struct asker asker;           /* without functions: the prompt asks */
    void (*wake)(void *user);     /* NULL: nobody waits */
    void *wake_user;
    bool answered;           /* the session got a name and a password */
    bool given_refused;      /* what was given is wrong: only what is typed counts */
    bool overruled;          /* a password was typed in the place of the one that was given */
    struct reason refused;   /* why, for whoever is asked again; empty: never refused */
    struct session *session; /* which asked last; NULL: it is over */
    struct session_question question;
    struct purpose now;              /* what an answer to it would be given for */
    char key[SERVER_KEY_MAX];        /* of the server that asked it */
    char notice[TRUST_QUESTION_MAX]; /* what the prompt shows first */
    char send[CREDENTIALS_SEND_MAX]; /* its question, before a password goes */
    char warning[TRUST_WARNING_MAX]; /* the same, before a password */
    char between[TRUST_BETWEEN_MAX]; /* prompt.h: where one is typed for a server behind ssh */
    struct trust_change change;      /* in the last question about a certificate */
    struct session_question trusted; /* its certificate was accepted; number 0: none was */
    bool warned;                     /* of a server that gets the password unprotected */
};

/* Reads the file, if one is named, so that a bad one is reported before anything else happens.
 * `options` are copied. */
bool credentials_init(struct credentials *c, const struct credentials_options *options,
                      struct reason *why);
void credentials_deinit(struct credentials *c);

/* Becomes `next`, for another server. What is being saved is saved. `next` is overwritten. */
void credentials_replace(struct credentials *c, struct credentials *next);

/* What a person has typed and accepted so far is known to `next`, too, for the same servers. Before
 * credentials_replace(). */
void credentials_keep_typed(struct credentials *c, struct credentials *next);

/* Answers a SESSION_QUESTION, at once or when the person has typed. Returns at once. What was typed
 * for one server is not told to another. */
void credentials_answer(struct credentials *c, struct session *s, const struct session_question *q);

/* Any thread calls `wake` when credentials_continue() is to be called, which goes on with an answer
 * that has waited. NULL: nobody. */
void credentials_set_wake(struct credentials *c, void (*wake)(void *user), void *user);
void credentials_continue(struct credentials *c);

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
