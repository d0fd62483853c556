/* The words behind the name of vnchl-session that make it a far end which pushes. vnchl-accel says
 * them, and both are of the same build: another one refuses to start.
 */
#ifndef VNCHL_PUSH_WORDS_H
#define VNCHL_PUSH_WORDS_H

/* Where each stands. */
enum push_word {
    PUSH_AT_PUSH,
    PUSH_AT_VERSION,    /* PUSH_VERSION */
    PUSH_AT_SERVER,     /* PUSH_NEAR or PUSH_FAR: of this machine, or not */
    PUSH_AT_SIZE,       /* of the screen: 1024x768 */
    PUSH_AT_CONGESTION, /* TCP's towards the viewer; may be empty */
    PUSH_AT_KEEP,       /* seconds; not 0: newcomers come by the third descriptor */
    PUSH_AT_DOOR,       /* PUSH_DOOR: the fourth is one (rfb/datagrams/door.h); or PUSH_NO_DOOR */
    PUSH_AT_POLICY,     /* PUSH_AUTO; or PUSH_OCTOPUS and U in ms, 0: it follows the bandwidth */
    PUSH_WORDS
};

#define PUSH_WORD    "push"
#define PUSH_VERSION "5"
#define PUSH_NEAR    "near"
#define PUSH_FAR     "far"
#define PUSH_DOOR    "door"
#define PUSH_NO_DOOR "-"
#define PUSH_AUTO    "auto"
#define PUSH_OCTOPUS "octopus:"

#endif
