/* What viewer and far end say of pushed blocks (docs/blocks.md): a viewer that takes them, how it
 * wants them, how far it has read, and that it leaves. The blocks themselves are in rfb/blocks/.
 * Pure; the bytes are the caller's.
 *
 * A viewer lists a pseudo-encoding for each version of the wire that it speaks. A far end that
 * speaks one of them sends no pixels in updates any more, but SERVER_BLOCK messages; all else stays
 * as RFB has it. It needs no requests. A non-incremental one asks for its part again.
 */
#ifndef VNCHL_PROTO_BLOCKS_H
#define VNCHL_PROTO_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/region.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The versions of the wire that are spoken here. */
#define BLOCKS_OLDEST 1
#define BLOCKS_NEWEST 1

/* The pseudo-encoding of version 0, which there is not; that of version n is n more. */
#define PSEUDO_BLOCKS_0    0x56484200
#define BLOCKS_VERSION_MAX 255

/* The version that such an encoding stands for; 0: it is another encoding. */
unsigned blocks_version(int32_t encoding);

/* MiB that a viewer has for tiles (rfb/blocks/references/kept.h), which PSEUDO_KEPT_0 says. Usual
 * is what it has whose user says nothing: five pictures of 1920x1080. So has a viewer that does not
 * list that one. */
#define KEPT_MIB_MOST  64
#define KEPT_MIB_USUAL 30

/* The second byte of a CLIENT_BLOCKS. */
enum blocks_kind {
    BLOCKS_ACKNOWLEDGE, /* how far blocks were read, and when */
    BLOCKS_WISHES,      /* how pictures are to be from now on */
    BLOCKS_GOODBYE = 3, /* the viewer leaves on purpose; nothing of it follows */
    BLOCKS_COUNT,       /* the bytes behind this are counted (rfb/datagrams/said.h) */
    BLOCKS_REFUSED,     /* a block referred to what the viewer has not: its part is to come again */
    BLOCKS_DIGESTS,     /* what the viewer still has of a picture that came before */
};

/* All blocks up to this one had been read, so long before the message left. Several in one message
 * tell how blocks came apart on their way, however seldom a message can leave. */
struct blocks_mark {
    uint32_t sequence;
    uint32_t age_us;
};

/* In one message; the oldest block first. */
#define BLOCKS_MARKS_MAX 16

/* How the viewer wants its pictures. */
struct blocks_wishes {
    int quality;        /* JPEG level 0..9, or LEVEL_AUTO (rfb/proto/encodings/encodings.h) */
    bool jpeg;          /* false: nothing comes with loss */
    bool exact_at_rest; /* what came with loss comes again without it once it is still */
    bool hidden;        /* nobody sees the picture */
    unsigned max_fps10; /* pictures in ten seconds; 0: no limit */
    uint32_t max_rate;  /* bytes a second; 0: no limit */
};

/* Digests of the viewer's old picture, one for each square tile, row by row. Tiles at the right and
 * lower edge may be smaller. Of what a digest is: rfb/blocks/references/tile_digest.h. The first
 * message says of which picture and which tiles they are; the others have the digests, in the order
 * of the tiles. */
#define BLOCKS_SIDE_LEAST   16 /* pixels; the side of a tile is this or a power of two more, */
#define BLOCKS_SIDE_MAX     128
#define BLOCKS_DIGEST_MAX   8   /* bytes of a digest that are said */
#define BLOCKS_DIGESTS_MOST 255 /* in one message */
#define BLOCKS_KEY_BYTES    16  /* random, of each side */
struct blocks_digests {
    unsigned bytes; /* of a digest: 1..BLOCKS_DIGEST_MAX; in all messages the same */
    unsigned count; /* 0: the first message; else 1..BLOCKS_DIGESTS_MOST, and these: */
    const uint8_t *digest;
    /* The first message: */
    int width, height;             /* of the picture, pixels */
    int side;                      /* of a tile */
    uint8_t key[BLOCKS_KEY_BYTES]; /* the viewer's */
};

/* Tiles of this side in a picture; its sides up to 65535. */
uint32_t blocks_tiles(int width, int height, int side);

/* A CLIENT_BLOCKS: BLOCKS_HEAD bytes, of which the third is the number of marks or digests, and the
 * fourth the bytes of a digest, and what follows: the marks, the wishes, the part that was refused,
 * the digests or what they are of, or nothing. */
#define BLOCKS_HEAD          4
#define BLOCKS_MARK_BYTES    8
#define BLOCKS_WISH_BYTES    8
#define BLOCKS_REFUSED_BYTES 8
#define BLOCKS_DIGESTS_OF    (6 + BLOCKS_KEY_BYTES)
#define BLOCKS_DIGESTS_MAX   (BLOCKS_HEAD + BLOCKS_DIGESTS_MOST * BLOCKS_DIGEST_MAX)
/* All but digests. */
#define BLOCKS_MESSAGE_MAX (BLOCKS_HEAD + BLOCKS_MARKS_MAX * BLOCKS_MARK_BYTES)

struct blocks_message {
    enum blocks_kind kind;
    unsigned marks; /* ACKNOWLEDGE: 1..BLOCKS_MARKS_MAX */
    struct blocks_mark mark[BLOCKS_MARKS_MAX];
    struct blocks_wishes wishes;   /* WISHES */
    struct blocks_digests digests; /* DIGESTS; read ones lie in the message's own bytes */
    struct rect refused;           /* REFUSED: the area of the block, or of several */
};

/* Writes the message, and returns its bytes: BLOCKS_MESSAGE_MAX at most, or BLOCKS_DIGESTS_MAX. */
size_t blocks_write(uint8_t *out, const struct blocks_message *m);

/* How many bytes follow this head. BLOCKS_BODY_NONE: no viewer may say it. */
#define BLOCKS_BODY_NONE SIZE_MAX
size_t blocks_body(const uint8_t *head);
/* Reads a whole message. False: no viewer may say it. */
bool blocks_read(const uint8_t *bytes, struct blocks_message *m);

#ifdef __cplusplus
}
#endif
#endif
