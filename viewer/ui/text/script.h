/* Which texts can be drawn character by character, from left to right.
 *
 * The toolkit draws texts so. That is right for Latin, Greek, Cyrillic, Chinese, Japanese, Korean
 * and others. It is wrong where letters join (Arabic), where the line runs from right to left
 * (Arabic, Hebrew), where signs change their place or form (Hindi, Thai), where an accent is a
 * character of its own, and where a character needs more than 16 bits (emoji).
 *
 * Pure function, any thread.
 */
#ifndef VNCHL_SCRIPT_H
#define VNCHL_SCRIPT_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the text, in UTF-8, needs more than the toolkit does. False for NULL. Where it is not
 * well-formed UTF-8 it is not judged. */
bool script_is_complex(const char *text);

#ifdef __cplusplus
}
#endif
#endif
