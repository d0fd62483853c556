#include "rfb/pusher/server/server_side.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "rfb/bytes_held.h"
#include "rfb/proto/extensions/push.h"
#include "rfb/system/thread.h"

/* A server of this machine: its pixels as they are cost neither side any work. */
#define NEAR_ENCODINGS "raw,copyrect"
/* One of another machine of the same network. */
#define FAR_ENCODINGS "tight,copyrect,zrle,hextile,raw"

struct server_side {
    int fd, wake_fd;
    struct encoding_options offers;
    struct pacing *pacing;

    pthread_mutex_t lock; /* everything below */
    struct bytes_held out;
    bool midway;              /* in a long message of the viewer */
    struct bytes_held behind; /* our own, which wait for its end */
    bool deaf;                /* the server takes nothing more */
    int32_t listed[CLIENT_ENCODINGS_MAX];
    unsigned count;
    bool more_buttons, steps;
};

struct server_side *server_side_create(int fd, bool near, int wake_fd)
{
    struct server_side *s = calloc(1, sizeof *s);
    struct reason never;

    if (!s)
        return NULL;
    pthread_mutex_init(&s->lock, NULL);
    s->fd = fd;
    s->wake_fd = wake_fd;
    s->offers.compress = SERVER_SIDE_COMPRESS;
    encoding_list_parse(&s->offers.list, near ? NEAR_ENCODINGS : FAR_ENCODINGS, &never);
    return s;
}

void server_side_destroy(struct server_side *s)
{
    if (!s)
        return;
    pacing_destroy(s->pacing);
    bytes_deinit(&s->out);
    bytes_deinit(&s->behind);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

/* ---- the beginning ---- */

void server_side_learn(struct server_side *s, const struct client_message *encodings)
{
    pthread_mutex_lock(&s->lock);
    s->count = encodings->encodings;
    for (unsigned i = 0; i < s->count; i++)
        s->listed[i] = client_message_encoding(encodings, i);
    pthread_mutex_unlock(&s->lock);
    /* an early list leaves the screens out, and the next one has them */
    if (s->pacing && server_side_lists(s, PSEUDO_EXTENDED_DESKTOP_SIZE))
        pacing_want_screens(s->pacing);
}

void server_side_learn_buttons(struct server_side *s)
{
    pthread_mutex_lock(&s->lock);
    s->more_buttons = true;
    pthread_mutex_unlock(&s->lock);
}

bool server_side_takes_more_buttons(struct server_side *s)
{
    bool takes;

    pthread_mutex_lock(&s->lock);
    takes = s->more_buttons;
    pthread_mutex_unlock(&s->lock);
    return takes;
}

void server_side_learn_steps(struct server_side *s, bool on)
{
    pthread_mutex_lock(&s->lock);
    s->steps = on;
    pthread_mutex_unlock(&s->lock);
}

bool server_side_takes_steps(struct server_side *s)
{
    bool takes;

    pthread_mutex_lock(&s->lock);
    takes = s->steps;
    pthread_mutex_unlock(&s->lock);
    return takes;
}

bool server_side_lists(struct server_side *s, int32_t encoding)
{
    bool found = false;

    pthread_mutex_lock(&s->lock);
    for (unsigned i = 0; !found && i < s->count; i++)
        found = s->listed[i] == encoding;
    pthread_mutex_unlock(&s->lock);
    return found;
}

/* What the viewer does not take the server is not to send. Sound it sends to who asks for it only,
 * and a viewer that comes later may do so. */
static void server_side_choose(struct server_side *s)
{
    s->offers.local_cursor = server_side_lists(s, PSEUDO_RICH_CURSOR);
    s->offers.clipboard = server_side_lists(s, PSEUDO_EXTENDED_CLIPBOARD);
    s->offers.key_codes = server_side_lists(s, PSEUDO_KEY_CODES);
    s->offers.steps = server_side_lists(s, PSEUDO_POINTER_STEPS);
    s->offers.sound = true;
    s->offers.no_screens = !server_side_lists(s, PSEUDO_EXTENDED_DESKTOP_SIZE);
    s->offers.no_buttons = !server_side_lists(s, PSEUDO_EXTENDED_BUTTONS);
}

bool server_side_begin(struct server_side *s, const struct client_message *encodings, int width,
                       int height)
{
    struct pacing_options options = {.scheduler = {.policy = PRP_AUTO, .quality_pinned = true}};
    uint8_t setup[PACING_SETUP_MAX];

    server_side_learn(s, encodings);
    server_side_choose(s);
    options.encodings = s->offers;
    s->pacing = pacing_create(&options);
    if (!s->pacing)
        return false;
    if (!server_side_pass(s, setup, pacing_write_setup(s->pacing, setup, false, 0)))
        return false;
    pacing_new_picture(s->pacing, width, height, true, 0);
    return true;
}

struct pacing *server_side_pacing(struct server_side *s)
{
    return s->pacing;
}

const struct encoding_options *server_side_offers(const struct server_side *s)
{
    return &s->offers;
}

/* ---- messages ---- */

bool server_side_pass_part(struct server_side *s, const void *bytes, size_t size, bool ends)
{
    bool ok;

    pthread_mutex_lock(&s->lock);
    ok = s->deaf || bytes_append(&s->out, bytes, size);
    s->midway = !ends;
    if (ends) {
        ok = ok && bytes_append(&s->out, bytes_first(&s->behind), s->behind.size);
        bytes_take(&s->behind, s->behind.size);
    }
    pthread_mutex_unlock(&s->lock);
    return ok;
}

bool server_side_pass(struct server_side *s, const void *bytes, size_t size)
{
    return server_side_pass_part(s, bytes, size, true);
}

bool server_side_answer_fence(struct server_side *s, uint32_t flags, const uint8_t *payload,
                              size_t size)
{
    uint8_t answer[CLIENT_WRITE_MAX];
    bool ok;

    pthread_mutex_lock(&s->lock);
    size = client_write_fence(answer, flags & FENCE_HONOURED, payload, size);
    ok = s->deaf || (s->out.size + s->behind.size < 2 * SERVER_SIDE_MOST &&
                     bytes_append(s->midway ? &s->behind : &s->out, answer, size));
    pthread_mutex_unlock(&s->lock);
    eventfd_wake(s->wake_fd, "the loop");
    return ok;
}

bool server_side_has_room(struct server_side *s)
{
    bool room;

    pthread_mutex_lock(&s->lock);
    room = s->out.size < SERVER_SIDE_MOST;
    pthread_mutex_unlock(&s->lock);
    return room;
}

/* ---- the loop ---- */

/* With the lock held. */
static bool server_side_write(struct server_side *s)
{
    while (s->out.size > 0) {
        ssize_t n = send(s->fd, bytes_first(&s->out), s->out.size, MSG_DONTWAIT | MSG_NOSIGNAL);

        if (n < 0)
            return errno == EAGAIN || errno == EINTR;
        bytes_take(&s->out, (size_t)n);
    }
    return true;
}

static bool server_side_ask(struct server_side *s, tick_t now)
{
    struct pacing_turn turn = {.room = s->out.size == 0};
    uint8_t due[PACING_WRITE_MAX];

    return bytes_append(&s->out, due, pacing_write(s->pacing, due, &turn, now));
}

bool server_side_send(struct server_side *s, bool asks, tick_t now)
{
    bool ok;

    pthread_mutex_lock(&s->lock);
    asks = asks && s->pacing && !s->midway;
    ok = !s->deaf && server_side_write(s) && (!asks || server_side_ask(s, now)) &&
         server_side_write(s);
    if (!ok) {
        s->deaf = true;
        bytes_take(&s->out, s->out.size);
        bytes_take(&s->behind, s->behind.size);
    }
    pthread_mutex_unlock(&s->lock);
    return ok;
}

bool server_side_waits(struct server_side *s)
{
    bool waits;

    pthread_mutex_lock(&s->lock);
    waits = s->out.size > 0;
    pthread_mutex_unlock(&s->lock);
    return waits;
}

tick_t server_side_look_again(struct server_side *s, tick_t now)
{
    bool midway;

    pthread_mutex_lock(&s->lock);
    midway = s->midway;
    pthread_mutex_unlock(&s->lock);
    return s->pacing && !midway ? pacing_sleep(s->pacing, now + SERVER_SIDE_LOOKS, now)
                                : TICK_NEVER;
}
