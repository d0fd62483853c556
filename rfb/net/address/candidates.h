/* Several servers of which any will do: "A, B:1, C". The first that answers is used.
 *
 * Value type. Pure.
 */
#ifndef VNCHL_CANDIDATES_H
#define VNCHL_CANDIDATES_H

#include <stdbool.h>
#include <stddef.h>

#include "rfb/net/address/address.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Chosen: more than anybody has for one purpose, few enough to be tried in one connect timeout. */
#define CANDIDATES_MAX 8
/* Bytes that hold every candidates_format(), with the NUL. */
#define CANDIDATES_TEXT (CANDIDATES_MAX * 272)

/* In the order of preference. Flat. All zero: there are none, and one server is named elsewhere. */
struct candidates {
    struct address at[CANDIDATES_MAX];
    int count;
};

/* Whether a text that a user has written names several servers: it has a comma, and is neither a
 * path nor a link. */
bool candidates_named(const char *text);

/* Takes such a text apart. False, with a reason, where one of them is no HOST:DISPLAY or
 * HOST::PORT, stands there twice, or is one too many. */
bool candidates_parse(struct candidates *c, const char *text, struct reason *why);

/* Writes them as candidates_parse() takes them. */
void candidates_format(const struct candidates *c, char *out, size_t size);

/* Whether both are one address in one spelling. */
bool address_same(const struct address *a, const struct address *b);

/* What comes behind this one in the order is tried first from now on, and this one last. One that
 * is not there changes nothing. */
void candidates_pass(struct candidates *c, const struct address *lost);

#ifdef __cplusplus
}
#endif
#endif
