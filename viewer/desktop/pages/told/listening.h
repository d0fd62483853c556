/* What the window says while it waits for a server that is to connect to us. Texts that go out are
 * fit to be shown. UI thread.
 */
#ifndef VNCHL_LISTENING_H
#define VNCHL_LISTENING_H

#include <stddef.h>

#include "rfb/net/address/address.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LISTENING_MAX 640 /* bytes, with the NUL */

/* `a` is where this computer listens; without a host on all of its addresses, for which alone the
 * system is asked. `name` names that, `entered` says as a sentence what a person enters at the
 * server. */
void listening_words(const struct address *a, char *name, size_t size, char entered[LISTENING_MAX]);

#ifdef __cplusplus
}
#endif
#endif
