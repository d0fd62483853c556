#include "viewer/playing.h"

/* A recording may begin with a long silence, and have one inside of a message. */
#define PLAY_TIMEOUT (366 * 86400 * TICK_S)

void playing_options(struct session_options *session)
{
    session->connect_timeout = session->stall_timeout = PLAY_TIMEOUT;
    session->scheduler.lossless_refresh = false;
    session->clipboard = 0;
    session->sound = SOUND_WISH_OFF;
    encoding_list_all(&session->encodings.list);
    session->encodings.jpeg = true; /* what comes is chosen already */
}
