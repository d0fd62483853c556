/* A recording (an FBS file, rfb/net/recording/fbs.h) that takes the place of a server, as a
 * transport (rfb/net/transport.h): its bytes can be read when the times in it say so. What is
 * written goes nowhere.
 *
 * The file may come from anybody. Every length in it is checked against the size that the file had
 * at the beginning. Nothing is allocated by what it says.
 */
#ifndef VNCHL_PLAYBACK_H
#define VNCHL_PLAYBACK_H

#include <stdbool.h>

#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As fast as it can be read. */
#define PLAYBACK_MAX 0

/* How many times faster than recorded. */
#define PLAYBACK_SPEED_LEAST 0.01
#define PLAYBACK_SPEED_MOST  1000.0

struct transport;

/* Opens the file, to be played so many times faster than it was recorded, or at PLAYBACK_MAX. Until
 * transport_ops.play() tells the first wish (play_clock.h) nothing is waited for. How long it is
 * nobody knows at first: who waits for bytes looks for that. At its end transport_ops.explain()
 * says that it has ended, and whether its last block was cut off. NULL with a reason. */
struct transport *playback_open(const char *file, double speed, struct reason *why);

/* The same of a file that is open. Takes it over, also where it fails. */
struct transport *playback_adopt(int fd, const char *file, double speed, struct reason *why);

/* Whether the file can be opened and is a recording. */
bool playback_check(const char *file, struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
