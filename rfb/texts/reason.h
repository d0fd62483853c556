/* Why something failed, as one line for a person.
 *
 * A function that can fail takes a `struct reason *` and returns false through reason_set(), so
 * the text is written where the failure is seen and shown once, by whoever ends the program.
 */
#ifndef VNCHL_REASON_H
#define VNCHL_REASON_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What kind of end a connection had, for whoever decides what to do next. */
enum failure {
    FAILURE_NONE,        /* its owner wanted it */
    FAILURE_NAME,        /* the host's name was not found */
    FAILURE_UNREACHABLE, /* there is no way to the server's port, or nobody listens there */
    FAILURE_GATEWAY,     /* ssh, or the command in its place, did not get through to the gateway */
    FAILURE_LOST,        /* network or server failed: a later attempt may succeed */
    FAILURE_REFUSED,     /* the server wants no connection now; it may want one later */
    FAILURE_AUTHENTICATION, /* name or password were refused, or not given */
    FAILURE_TRUST,          /* it is not certain enough who the server is */
    FAILURE_SECURITY,       /* the server offers no security type that is allowed */
    FAILURE_PROTOCOL,       /* what the server says or offers does not fit us */
    FAILURE_PLAYED,         /* none: a recording was played to its end */
    FAILURE_START,   /* this machine could not begin: the process, its confinement, --listen */
    FAILURE_CRASHED, /* the process that decodes has ended, or said what it may not */
    FAILURE_KILLED,  /* somebody else has ended it: mostly the system, which is short of memory */
    FAILURES
};

struct reason {
    char text[640];
    enum failure kind; /* FAILURE_NONE: not said */
};

/* Formats the reason and returns false. Control characters (a server may have chosen parts of the
 * text) become '?'. The kind is FAILURE_NONE then. */
bool reason_set(struct reason *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Says of what kind the failure is, after reason_set(). Returns false. */
bool reason_set_kind(struct reason *r, enum failure kind);

/* Makes of the text, in place, the beginning of a sentence that stands alone: with a capital
 * letter. A first word that is a name written small (ssh, vnchl-accel, desk:1) stays. */
void capitalise(char *text);

/* Replaces by '?', in place, what is not well-formed UTF-8 (a text cut inside a character, too) and
 * characters that do not show as themselves. */
void sanitise(char *text);

/* Whether it would leave the text as it is. */
bool is_sanitised(const char *text);

#ifdef __cplusplus
}
#endif
#endif
