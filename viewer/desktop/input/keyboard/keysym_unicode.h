/* X11 keysyms of characters.
 *
 * Pure function, any thread.
 */
#ifndef VNCHL_KEYSYM_UNICODE_H
#define VNCHL_KEYSYM_UNICODE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The keysym of a character: Latin-1 is its own keysym, others have the name that X keyboard maps
 * use (Greek, Cyrillic, the euro, ...) or 0x01000000 + code point. 0 for a code point that no key
 * can type. */
uint32_t keysym_from_unicode(uint32_t code_point);

#ifdef __cplusplus
}
#endif
#endif
