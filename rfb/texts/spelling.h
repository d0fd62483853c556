/* How near a word that somebody wrote is to one that he may have meant. Pure; any thread. */
#ifndef VNCHL_SPELLING_H
#define VNCHL_SPELLING_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Words of so many bytes, or longer, are near to none. */
#define SPELLING_MAX 32

/* How many letters were left out, added, mistaken or swapped with their neighbour. */
size_t spelling_distance(const char *a, const char *b);

/* From this distance on a word is none that may have been meant: one letter in three may be wrong.
 */
size_t spelling_near(const char *word);

#ifdef __cplusplus
}
#endif
#endif
