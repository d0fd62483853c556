/* RFB cut text is ISO 8859-1; everything else here is UTF-8. Pure; results are malloc'ed. */
#ifndef VNCHL_LATIN1_H
#define VNCHL_LATIN1_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* NULL when out of memory. */
char *latin1_to_utf8(const char *latin1);

/* Characters beyond ISO 8859-1 become '?'; *lost is how many. NULL when out of memory. */
char *latin1_from_utf8(const char *utf8, size_t *lost);

#ifdef __cplusplus
}
#endif
#endif
