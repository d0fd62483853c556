/* How the far end proves itself to a server that wants VNC authentication: with the password file
 * that the user has on that machine. ssh has let in the user, so the viewer is not asked for it.
 *
 * In the beginning, before the process is confined. Waits for the server, which is this machine's.
 */
#ifndef VNCHL_ACCELERATOR_OWN_LOGIN_H
#define VNCHL_ACCELERATOR_OWN_LOGIN_H

#include <stdbool.h>

#include "rfb/proto/vncauth.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The password in ~/.vnc/passwd, or ~/.config/tigervnc/passwd. False: there is no such file that
 * belongs to this user. */
bool own_login_password(char password[VNCAUTH_PASSWORD + 1]);

/* Speaks RFB 3.8 on a new connection, up to the server's word that the password is right. False: it
 * is not, or the server wants something else, or does not answer: the connection is of no use then.
 */
bool own_login(int fd, const char *password);

#ifdef __cplusplus
}
#endif
#endif
