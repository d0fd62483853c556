/* The last picture of a server, kept on the disk where the user wants that (--keep-picture): so the
 * next session can tell a far end digests of it (docs/reconnect.md).
 *
 * It is the file `picture-NUMBER` of viewer/state_file.h; the number follows from server_key() and
 * the port. Only the user can read it. It is gzip (RFC 1952) of three lines, and behind them three
 * bytes for each pixel: red, green, blue, row by row.
 *
 *     vnchl picture 1
 *     HOST                                          far.example
 *     PORT SECURITY SUBTYPE WIDTH HEIGHT SHA-256    5901 19 260 1920 1080 AB:12:...
 *
 * HOST is server_key(). SECURITY and SUBTYPE are numbers of the protocol (enum security_number);
 * SHA-256 is that of the server's certificate, or "-" where it has shown none.
 *
 * There are PICTURE_FILES_MOST at most: the one that was written first goes. What is damaged, or of
 * another server, is not there.
 *
 * UI thread.
 */
#ifndef VNCHL_PICTURE_FILE_H
#define VNCHL_PICTURE_FILE_H

#include <stdbool.h>

#include "rfb/decode/framebuffer_reader.h"
#include "rfb/net/route.h"
#include "rfb/session/session_stats.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PICTURE_FILES_MOST 12
#define PICTURE_FILE_BYTES (32 << 20) /* of a file at most. Chosen. */

struct picture_file {
    struct framebuffer_reader *picture; /* NULL: there is none */
    /* The session that it was of: its size, its security and its certificate, and that it was
     * pushed. The rest is 0. */
    struct session_stats was;
};

/* Keeps the picture of this session. False, with a reason: what was there before may still be. */
bool picture_file_save(const struct address *a, const struct route *route,
                       const struct session_stats *s, struct framebuffer_reader *picture,
                       struct reason *why);

/* The picture that was kept of this server; the caller frees it. */
void picture_file_load(const struct address *a, const struct route *route,
                       struct picture_file *out);
void picture_file_deinit(struct picture_file *k); /* safe on a zeroed one, and twice */

/* There is none any more. */
void picture_file_forget(const struct address *a, const struct route *route);

#ifdef __cplusplus
}
#endif
#endif
