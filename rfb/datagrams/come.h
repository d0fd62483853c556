/* Which blocks have come, as the viewer tells the far end: the newest, and which of those before;
 * and which were made of parities.
 *
 * Pure. Numbers count modulo 2^32; one is newer than another by up to 2^31 - 1.
 */
#ifndef VNCHL_DATAGRAM_COME_H
#define VNCHL_DATAGRAM_COME_H

#include "prerequest/tick.h"
#include "rfb/datagrams/body.h"

#ifdef __cplusplus
extern "C" {
#endif

struct come {
    bool any;
    uint32_t newest;
    tick_t at; /* when the newest came */
    uint8_t before[BODY_BEFORE / 8], made[BODY_BEFORE / 8];
};

/* This one has come. One that is older than those that are told of changes nothing. */
void come_note(struct come *c, uint32_t number, tick_t now);

/* This one was made. One that is not older than the newest that has come changes nothing. */
void come_made(struct come *c, uint32_t number);

/* Fills in what is told of blocks. */
void come_tell(const struct come *c, struct body_up *u, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
