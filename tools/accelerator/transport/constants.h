/* Every constant by which a client is sent what comes: first its unit, then why it has this value.
 * The words are those of prerequest/know/constants.h. */
#ifndef VNCHL_ACCELERATOR_TRANSPORT_CONSTANTS_H
#define VNCHL_ACCELERATOR_TRANSPORT_CONSTANTS_H

#include <stddef.h>

#include "prerequest/tick.h"

/* ---- outlet.h: what the client's socket is given ---- */

/* Bytes that may wait in it unsent before the path's rate is known. Chosen: TCP's slow start needs
 * some. */
#define OUTLET_UNSENT_AT_FIRST ((size_t)32 << 10)
/* Later, ns: so much as leaves in this time; bytes at least and at most. Chosen. */
#define OUTLET_UNSENT_TIME  (10 * TICK_MS)
#define OUTLET_UNSENT_LEAST ((size_t)4 << 10)
#define OUTLET_UNSENT_MOST  ((size_t)64 << 10)
/* Bytes of one write. Chosen: a client that takes much cannot hold up the others. */
#define OUTLET_TURN ((size_t)64 << 10)
/* ns: a client whose kernel acknowledges nothing for so long, with bytes on their way to it, has
 * gone; and how often that is looked for. Chosen. */
#define OUTLET_SILENCE_LIMIT (60 * TICK_S)
#define OUTLET_SILENCE_LOOK  (10 * TICK_S)

/* ---- leg.h: the client's congestion control ---- */

/* ns: BBR begins anew so often. Chosen: before the 10 s after which it sends four packets a round
 * trip. Measured: a film stood still in five of six runs without this, and in none of six with it.
 */
#define LEG_BBR_RENEWED (8 * TICK_S)

#endif
