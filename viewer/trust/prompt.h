/* A prompt on the terminal in a thread of its own: for a user name and a password, or for a
 * decision.
 *
 * Whoever starts a prompt destroys it, in the same thread. Meanwhile that thread goes on: the
 * prompt's thread says what was typed. The strings are malloc'ed and become the receiver's.
 */
#ifndef VNCHL_PROMPT_H
#define VNCHL_PROMPT_H

#include <stdbool.h>

#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

struct prompt;

enum decision {
    DECISION_NO,
    DECISION_YES,
    DECISION_ONCE, /* yes, and nothing of it is kept for the next run */
};

/* The texts stay the caller's and outlive the prompt. They are sanitised. */
struct prompt_options {
    const char *notice;  /* lines shown first; NULL: none */
    const char *host;    /* whose password it is; empty: not known */
    unsigned port;       /* of the host; 0: it has none */
    const char *between; /* behind the two: the machine that leads there, " at desk"; or NULL */
    bool user, password; /* what to ask for */
    /* The prompt's thread, once. What was not asked for is NULL, and so is what the person did not
     * give. */
    void (*done)(void *owner, char *user, char *password);
    /* NULL, or the password may be kept for the next runs, and an asker that offers this says here,
     * before `done`, what the person wants. The prompt itself does not offer it. */
    void (*keep)(void *owner, bool on);
    bool keeps; /* it is kept unless the person says no */
    /* NULL, or a question to be answered by yes or no, typed in full, and nothing else is asked.
     * `decided` is called instead of `done`. Who gives up says no. */
    const char *question;
    bool once; /* "once" is an answer to it, too */
    void (*decided)(void *owner, enum decision decision);
    void *owner;
};

/* NULL, with a reason, where there is no terminal. */
struct prompt *prompt_create(const struct prompt_options *options, struct reason *why);

/* Ends the prompt if the person still types. Afterwards `done` is over, and the terminal as it was.
 * Safe on NULL. */
void prompt_destroy(struct prompt *p);

#ifdef __cplusplus
}
#endif
#endif
