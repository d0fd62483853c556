/* UTF-8 (Unicode, table 3-7). Pure. */
#ifndef VNCHL_UTF8_H
#define VNCHL_UTF8_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The well-formed sequence at `s`, which ends with a NUL: its length and its character. 0 when
 * there is none: too long a form, a surrogate, or cut short. */
int utf8_decode(const char *s, uint32_t *character);

/* The whole text is well-formed. */
bool utf8_valid(const char *text);

/* Replaces by '?', in place, each sequence that is not well-formed. The text may become shorter. */
void utf8_repair(char *text);

#ifdef __cplusplus
}
#endif
#endif
