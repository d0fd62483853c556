/* Password files as vncpasswd makes them.
 *
 * Any thread. Waits for a pipe that stands in the place of a file.
 */
#ifndef VNCHL_PASSWD_FILE_H
#define VNCHL_PASSWD_FILE_H

#include <stdbool.h>

#include "rfb/proto/handshake/vncauth.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads the password. False, with a reason. Where others can read the file a line says so. */
bool passwd_file_read(const char *file, char password[VNCAUTH_PASSWORD + 1], struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
