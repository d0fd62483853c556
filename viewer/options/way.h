/* The way to a server through another machine (--via, --ssh, --repeater) as text: to be kept beside
 * an address, and to be shown.
 *
 * Pure.
 */
#ifndef VNCHL_WAY_H
#define VNCHL_WAY_H

#include <stdbool.h>

#include "rfb/net/route.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WAY_TEXT_MAX  600 /* bytes with the NUL; every way fits */
#define WAY_WORDS_MAX 300

/* What would be typed behind two dashes: "via=me@gate:2222", "ssh=desk". Empty: it leads straight
 * to the server, or there is no way to one (--listen, --play). */
void way_text(const struct route *route, char out[WAY_TEXT_MAX]);

/* The other way round. Only --via and --ssh: false for all else. */
bool way_parse(const char *text, struct route *route);

/* What stands behind "NAME=" in such a text, without the dashes; NULL: it does not begin with that
 * name. */
const char *way_value(const char *text, const char *name);

/* For people, behind the name of the server: " through me@gate", " at desk"; or nothing. */
void way_words(const struct route *route, char out[WAY_WORDS_MAX]);

#ifdef __cplusplus
}
#endif
#endif
