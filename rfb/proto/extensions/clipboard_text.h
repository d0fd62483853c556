/* A clipboard's text as RFB has it: its characters, and the ends of its lines. Pure. */
#ifndef VNCHL_CLIPBOARD_TEXT_H
#define VNCHL_CLIPBOARD_TEXT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Cut text is ISO 8859-1; everything else here is UTF-8. Results are malloc'ed. */

/* NULL when out of memory. */
char *latin1_to_utf8(const char *latin1);

/* Characters beyond ISO 8859-1 become '?'; *lost is how many. NULL when out of memory. */
char *latin1_from_utf8(const char *utf8, size_t *lost);

/* Here, and in cut text, a line ends with LF. In the extended clipboard it ends with CR LF. */

/* Makes LF of each CR LF and of each single CR, in place. The text may become shorter. */
void line_ends_to_lf(char *text);

/* The length of the text once each line ends with CR LF, bytes without the NUL. */
size_t line_ends_crlf_length(const char *text);

/* Writes that text, and its NUL, to `out`. */
void line_ends_to_crlf(const char *text, char *out);

#ifdef __cplusplus
}
#endif
#endif
