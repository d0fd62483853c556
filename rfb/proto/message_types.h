/* The numbers of the messages' types, and what messages of both directions have in common (RFB 3.8,
 * sections 7.5 and 7.6; what is not there is of the community specification). Pure.
 *
 * The form of each message is in rfb/proto/client_messages.h and rfb/proto/server_messages.h.
 */
#ifndef VNCHL_MESSAGE_TYPES_H
#define VNCHL_MESSAGE_TYPES_H

#ifdef __cplusplus
extern "C" {
#endif

/* From client to server. */
enum client_message_type {
    CLIENT_SET_PIXEL_FORMAT = 0,
    CLIENT_SET_ENCODINGS = 2,
    CLIENT_UPDATE_REQUEST = 3,
    CLIENT_KEY = 4,
    CLIENT_POINTER = 5,
    CLIENT_CUT_TEXT = 6,
    CLIENT_ENABLE_CONTINUOUS_UPDATES = 150,
    CLIENT_BLOCKS = 200, /* ours, for a far end that pushes blocks (rfb/proto/blocks.h) */
    CLIENT_FENCE = 248,
    CLIENT_SET_DESKTOP_SIZE = 251,
    CLIENT_QEMU = 255, /* QEMU's extended key event, or of extensions/qemu_audio.h */
};

/* From server to client. */
enum server_message_type {
    SERVER_UPDATE = 0,
    SERVER_SET_COLOUR_MAP_ENTRIES = 1,
    SERVER_BELL = 2,
    SERVER_CUT_TEXT = 3,
    SERVER_END_OF_CONTINUOUS_UPDATES = 150,
    SERVER_BLOCK = 200, /* ours: one block (rfb/blocks/block.h) */
    SERVER_FENCE = 248,
    SERVER_QEMU = 255, /* of QEMU's messages only sound is known (extensions/qemu_audio.h) */
};

/* Messages of other viewers and servers. Only who passes a connection on needs them
 * (rfb/framing/). */
enum foreign_message_type {
    FOREIGN_CLIENT_SET_SCALE = 8,
    FOREIGN_CLIENT_SET_SERVER_INPUT = 9,
    FOREIGN_TEXT_CHAT = 11, /* the same in both directions, and so those below */
    FOREIGN_XVP_MESSAGE = 250,
    FOREIGN_GII_MESSAGE = 253,
};

/* The longest text that is kept, bytes. The bytes of a longer one are read and dropped: nobody
 * pastes it, and memory is ours. */
#define TEXT_MAX (1 << 20)

/* Fences have the same form in both directions. */
#define FENCE_HEAD 9  /* bytes before the payload */
#define FENCE_MAX  64 /* bytes of payload */

enum fence_flags {
    FENCE_BLOCK_BEFORE = 1 << 0,
    FENCE_BLOCK_AFTER = 1 << 1,
    FENCE_SYNC_NEXT = 1 << 2,
};
#define FENCE_REQUEST (1u << 31)

#ifdef __cplusplus
}
#endif
#endif
