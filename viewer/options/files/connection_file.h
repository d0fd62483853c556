/* Connection files of other viewers, read as settings under TigerVNC's names: TigerVNC's
 * (.tigervnc), and the INI files (.vnc) of RealVNC, TightVNC and UltraVNC.
 *
 * Pure. Says what a file asks for. What becomes of it is decided in option_asked.c.
 *
 * Beside TigerVNC's names three are made: "ServerName" is the address as on the command line,
 * "User" a user name, "Password" the obfuscated password in hexadecimal digits. What no viewer but
 * its own would understand keeps its name.
 */
#ifndef VNCHL_CONNECTION_FILE_H
#define VNCHL_CONNECTION_FILE_H

#include "viewer/options/files/setting.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fails with a reason where this is no such file, where a line is not understood, and where it
 * asks for protection of the connection that this program cannot give. */
bool connection_file_parse(const char *text, size_t size, setting_taker take, void *user,
                           struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
