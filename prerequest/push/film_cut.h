/* How a frame of a film is cut into blocks, and how much leaves behind it as parity.
 *
 * When a frame is not whole, no later one is drawn that stands on it, until that is known: some
 * five frames. So hardly any may fail. But over a thin link, where the picture is as coarse as it
 * may be already, each byte of parity costs frames, too. So the share of frames that may fail
 * follows the quantiser (H.264's QP):
 *
 *   fails = PUSH_FILM_FAILS_LEAST up to PUSH_FILM_QP_GOOD, then growing by a factor for each step
 *           up to PUSH_FILM_FAILS_MOST at PUSH_FILM_QP_COARSE
 *
 * Of n blocks as many parities leave as push/insurance.h says for that. For example, a frame of 900
 * bytes with heads of 105, where 5 % are lost and QP is 42: as one block and a parity it takes 2010
 * bytes, as three and a parity 1620. n is chosen so that all of it takes the least.
 *
 * Pure.
 */
#ifndef VNCHL_PUSH_FILM_CUT_H
#define VNCHL_PUSH_FILM_CUT_H

#include <stddef.h>

#include "prerequest/push/constants.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes: of a frame in a block at most, and around these in its packet. The wire's. */
#define PUSH_FILM_ROOM 1121
#define PUSH_FILM_HEAD 115

/* What share of the frames of this quantiser may fail; 0: it is not known. */
double push_film_fails(int qp);

/* Into how many blocks a frame of so many bytes is cut, 1 at least; more than PUSH_FILM_PARTS: it
 * is too large. Each block is lost with the probability `loss`. */
unsigned push_film_cut(size_t bytes, double loss, double fails);

/* How many bytes a frame may have, so that all that leaves for it takes no more than `most`; 0:
 * there is no room for one. */
size_t push_film_fits(double most, double loss, double fails);

#ifdef __cplusplus
}
#endif
#endif
