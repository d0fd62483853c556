/* Blocks that were lost, and are made again of parities (parity.h): the viewer's end. It keeps the
 * newest blocks and parities that have come, and looks at a group when one of it comes.
 *
 * What comes may be lies: it costs no more memory, and no more work than as many blocks that are
 * drawn. What is made of it has to be looked at as what comes is.
 *
 * One thread at a time. About 2 MB, all of it taken at once. Pure but for that.
 */
#ifndef VNCHL_REPAIR_H
#define VNCHL_REPAIR_H

#include "rfb/datagrams/parity.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Kept. Chosen: two updates as large as are insured (prerequest/push/packets/insurance.h). */
#define REPAIR_BLOCKS   1024
#define REPAIR_PARITIES 384

struct repair;
struct repair *repair_create(void); /* NULL: out of memory */
void repair_destroy(struct repair *r);

/* A block has come, packed in so many bytes, BLOCK_MAX at most; or a parity. */
void repair_block(struct repair *r, uint32_t sequence, const uint8_t *packed, size_t size);
void repair_parity(struct repair *r, const struct parity *p);

/* Takes the next block that was made by that. It is to be taken before anything else comes. The
 * bytes stay until then. False: there is none. */
bool repair_next(struct repair *r, const uint8_t **packed, size_t *size);

#ifdef __cplusplus
}
#endif
#endif
