/* By whose rules updates are asked for and leave: ours, or those of Taylor and Pasquale's paper
 * alone, to reproduce it. Chosen here, when the handshake is over, and nowhere else.
 *
 *                ours                                  the paper's algorithm 1
 *   asked for    so that it comes when the last byte   when all that has come has left
 *                before it leaves (relay.h)
 *   again        while the picture moves               never
 *   on its way   what the path needs (flight.h), and   what the socket takes
 *                little more than the client has read
 *   BBR          begins anew in time (leg.h)           is left alone
 *   to vnchl     blocks                                updates
 *   to others    ContinuousUpdates (own_push.h)        answers to requests
 *
 * The paper says nothing of input, of new pixel formats and of TLS: these are as ours. Whether
 * updates leave as they come or whole is a setting of its own, and so is the congestion control.
 */
#ifndef VNCHL_ACCELERATOR_ALGORITHM_H
#define VNCHL_ACCELERATOR_ALGORITHM_H

#include "tools/accelerator/connection/connection.h"
#include "tools/accelerator/exchange/exchange.h"
#include "tools/accelerator/transport/outlet.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Behind exchange_begin(). */
void algorithm_choose(const struct connection_host *host, struct exchange *x,
                      struct outlet *outlet);

#ifdef __cplusplus
}
#endif
#endif
