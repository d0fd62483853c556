/* The ends of lines in a clipboard's text. Here, and in cut text, a line ends with LF. In the
 * extended clipboard it ends with CR LF. Pure.
 */
#ifndef VNCHL_LINE_ENDS_H
#define VNCHL_LINE_ENDS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

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
