/* What is said of a response's parts (prerequest/know/response_parts.h), in the field's terms and
 * in plain words.
 *
 * Pure.
 */
#ifndef VNCHL_RESPONSE_WORDS_H
#define VNCHL_RESPONSE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "prerequest/know/response_parts.h"

#ifdef __cplusplus
extern "C" {
#endif

/* "network path": the field's term. */
const char *response_part_name(enum response_part part);

/* One plain sentence about what took most: "The server took 40 of 65 ms". Where that is the line,
 * and it loses RESPONSE_LOSS or more, that is said: "The line loses 3 %". Empty: nothing was
 * measured. It has less than RESPONSE_WORDS bytes; a longer text is cut. */
#define RESPONSE_WORDS 64
void response_say(char *out, size_t size, const struct response_parts *p);

/* All parts that took something, in the order of the way: "server 40, network path 20, decoder 2.0
 * ms"; `plain`: as the sentence has them, "server 40, line 22, this computer 2.0 ms". A longer text
 * is cut. */
void response_list(char *out, size_t size, const struct response_parts *p, bool plain);

#ifdef __cplusplus
}
#endif
#endif
