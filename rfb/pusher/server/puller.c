#include "rfb/pusher/server/puller.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/prctl.h>

#include "rfb/net/sockets/socket.h"
#include "rfb/proto/server_messages.h"
#include "rfb/pusher/server/tap.h"
#include "rfb/pusher/viewer/update_parts.h"
#include "rfb/session/pictures/messages.h"
#include "rfb/system/clock.h"
#include "rfb/system/thread.h"

struct puller {
    struct puller_parts parts;
    struct tap *tap;
    struct stream *stream;
    struct source source;
    struct pacing *pacing;
    bool in_update;        /* the message that is being read is a FramebufferUpdate */
    bool passes;           /* the message is to be passed on as it came */
    bool says_caps;        /* it says what the server's clipboard takes */
    bool sounds;           /* it is of sound, which goes another way */
    bool has_sound;        /* the server has said so */
    uint64_t message_at;   /* where it begins */
    uint64_t rectangle_at; /* where the rectangle begins that is being read, */
    bool rectangle_passes; /* and whether it is still to be passed on */
    int32_t rectangle_encoding;
    struct update_parts changed_parts;
    bool failed; /* out of memory, or nobody takes what is passed on */
    struct reason why;
    pthread_t thread;

    pthread_mutex_t lock; /* everything below */
    pthread_cond_t changed;
    bool goes, ended;
    int width, height;
};

static uint64_t puller_at(const struct puller *p)
{
    return stream_taken(p->stream);
}

static void puller_wake(struct puller *p, bool wake)
{
    if (wake)
        eventfd_wake(p->parts.wake_fd, "the loop");
}

/* ---- passing on ---- */

/* Whether such a rectangle is for the viewer. It is not told who the server is: it asks it for
 * nothing. */
static bool puller_may_pass(const struct puller *p, int32_t encoding)
{
    return encoding_row(encoding) < 0 && encoding != PSEUDO_LAST_RECT &&
           encoding != PSEUDO_TIMESTAMP && encoding != PSEUDO_SERVER_IDENTITY &&
           encoding != PSEUDO_ACCELERATOR && server_side_lists(p->parts.server, encoding);
}

/* The rectangle that ends here, if it is to be passed on. A pointer's shape that was too large to
 * keep is left out. */
static const uint8_t *puller_rectangle(struct puller *p, uint64_t end, size_t *size)
{
    const uint8_t *bytes = p->rectangle_passes ? tap_bytes(p->tap, p->rectangle_at, end) : NULL;

    *size = bytes ? (size_t)(end - p->rectangle_at) : 0;
    p->rectangle_passes = false;
    return bytes;
}

/* What a viewer has to know that comes later. A list of screens may be the answer to one viewer's
 * wish: the next one gets it without that. What only says a size is said again with the size. */
static void puller_keep(struct puller *p, const uint8_t *bytes, size_t size)
{
    uint8_t own[SERVER_UPDATE_HEAD + RECTANGLE_HEAD];
    size_t head = server_write_update(own, 1);
    struct rect r;

    if (p->rectangle_encoding == PSEUDO_DESKTOP_SIZE)
        return;
    if (p->rectangle_encoding == PSEUDO_EXTENDED_DESKTOP_SIZE) {
        server_read_rectangle(bytes, &r);
        if (r.x == DESKTOP_SIZE_THIS_CLIENT && r.y != DESKTOP_SIZE_DONE)
            return;
        r.x = r.y = 0;
        head += server_write_rectangle(own + head, r, p->rectangle_encoding);
        bytes += RECTANGLE_HEAD;
        size -= RECTANGLE_HEAD;
    }
    viewer_side_keep(p->parts.viewer, p->rectangle_encoding, own, head, bytes, size);
}

/* It becomes an update of its own. */
static void puller_pass_rectangle(struct puller *p, uint64_t end)
{
    uint8_t head[SERVER_UPDATE_HEAD];
    size_t size;
    const uint8_t *bytes = puller_rectangle(p, end, &size);

    if (!bytes)
        return;
    puller_keep(p, bytes, size);
    p->failed = p->failed ||
                !viewer_side_pass(p->parts.viewer, head, server_write_update(head, 1), bytes, size);
}

static bool puller_on_begun(void *user)
{
    struct puller *p = user;

    p->message_at = puller_at(p) - 1; /* its type has been read */
    p->in_update = p->passes = p->says_caps = p->sounds = false;
    tap_drop(p->tap, p->message_at);
    return !p->failed;
}

static void puller_on_ended(void *user)
{
    struct puller *p = user;
    uint64_t end = puller_at(p);
    const uint8_t *bytes = tap_bytes(p->tap, p->message_at, end);
    size_t size = bytes ? (size_t)(end - p->message_at) : 0;

    if (p->says_caps && bytes)
        viewer_side_keep(p->parts.viewer, PSEUDO_EXTENDED_CLIPBOARD, NULL, 0, bytes, size);
    if (p->passes && bytes)
        p->failed = p->failed || !viewer_side_pass(p->parts.viewer, NULL, 0, bytes, size);
    if (p->sounds && bytes)
        viewer_side_pass_sound(p->parts.viewer, bytes, size);
    tap_drop(p->tap, end);
    if (stream_waiting(p->stream) == 0)
        puller_wake(p, pacing_ran_dry(p->pacing, tick_now()));
}

/* ---- pictures ---- */

static struct pacing_bytes puller_bytes(struct puller *p)
{
    struct pacing_bytes b = {.taken = puller_at(p)};

    stream_info(p->stream, &b.info);
    return b;
}

static void puller_on_update_begun(void *user)
{
    struct puller *p = user;
    struct pacing_bytes bytes = puller_bytes(p);

    p->in_update = true;
    p->failed = p->failed || !viewer_side_begun(p->parts.viewer);
    puller_wake(p, pacing_begun(p->pacing, &bytes, tick_now()));
}

static void puller_on_rectangle(void *user, int32_t encoding)
{
    struct puller *p = user;
    uint64_t begin = puller_at(p) - RECTANGLE_HEAD;

    puller_pass_rectangle(p, begin); /* the one before */
    p->rectangle_at = begin;
    p->rectangle_passes = puller_may_pass(p, encoding);
    p->rectangle_encoding = encoding;
    tap_drop(p->tap, p->rectangle_at);
    tap_keep_little(p->tap, encoding_row(encoding) >= 0);
}

static bool puller_on_drawn(void *user, struct rect area, int32_t encoding, bool loss)
{
    struct puller *p = user;

    tap_drop(p->tap, puller_at(p));
    tap_keep_little(p->tap, false);
    if (encoding != ENCODING_COPYRECT)
        update_parts_add(&p->changed_parts, &(struct update_part){.area = area});
    puller_wake(p, pacing_drawn(p->pacing, area, encoding, loss, false, tick_now()));
    return !p->failed;
}

static void puller_on_copied(void *user, struct rect area, int from_x, int from_y)
{
    struct puller *p = user;

    update_parts_add(&p->changed_parts, &(struct update_part){area, true, from_x, from_y});
}

static void puller_on_shown(void *user, bool pixels)
{
    struct puller *p = user;
    struct pacing_bytes bytes = puller_bytes(p);
    const char *not_pushed;

    puller_pass_rectangle(p, puller_at(p));
    bytes.waiting = stream_waiting(p->stream);
    if (pixels)
        p->failed = p->failed || !viewer_side_shown(p->parts.viewer, &p->changed_parts);
    puller_wake(p, pacing_shown(p->pacing, &bytes, pixels, tick_now(), &not_pushed));
}

/* The viewer is told before it gets the first block of the new size, and gets none of the old one
 * behind that: blocks rest in between. */
static void puller_on_resized(void *user, int width, int height)
{
    struct puller *p = user;
    uint8_t head[SERVER_UPDATE_HEAD];
    size_t size;
    const uint8_t *bytes = puller_rectangle(p, puller_at(p), &size);

    p->changed_parts.count = 0;
    p->failed = p->failed || !viewer_side_resized(p->parts.viewer, width, height, head,
                                                  server_write_update(head, 1), bytes, size);
    if (bytes)
        puller_keep(p, bytes, size);
    pacing_new_picture(p->pacing, width, height, true, tick_now());
    puller_wake(p, true);
}

/* ---- what is passed on, and what is not ---- */

static void puller_on_cursor(void *user, int width, int height, int hot_x, int hot_y,
                             uint32_t *pixels)
{
    (void)width;
    (void)height;
    (void)hot_x;
    (void)hot_y;
    free(pixels);
    (void)user;
}

static void puller_on_text(void *user, char *utf8)
{
    struct puller *p = user;

    p->passes = !p->in_update;
    free(utf8);
}

static void puller_on_dropped(void *user, size_t size, size_t limit)
{
    struct puller *p = user;

    (void)size;
    (void)limit;
    p->passes = true;
}

static void puller_on_clipboard(void *user, const struct extended_clipboard *m)
{
    struct puller *p = user;

    p->passes = true;
    p->says_caps = m->action == EXTENDED_CAPS;
    free(m->provided);
}

static void puller_on_bell(void *user)
{
    struct puller *p = user;

    p->passes = true;
}

static void puller_on_leds(void *user, unsigned leds)
{
    (void)user;
    (void)leds;
}

static void puller_on_nothing(void *user)
{
    (void)user;
}

static void puller_on_more_buttons(void *user)
{
    struct puller *p = user;

    if (server_side_lists(p->parts.server, PSEUDO_EXTENDED_BUTTONS))
        server_side_learn_buttons(p->parts.server);
}

static void puller_on_steps(void *user, bool on)
{
    struct puller *p = user;

    server_side_learn_steps(p->parts.server, on);
}

/* It is said once. A viewer that comes later may take sound though this one does not. */
static void puller_on_has_sound(void *user)
{
    struct puller *p = user;
    uint64_t end = puller_at(p);
    const uint8_t *bytes = tap_bytes(p->tap, p->rectangle_at, end);

    p->has_sound = true;
    if (bytes)
        puller_keep(p, bytes, (size_t)(end - p->rectangle_at));
}

static void puller_on_sound(void *user, const void *samples, size_t size)
{
    (void)user;
    (void)samples;
    (void)size;
}

static void puller_on_sound_message(void *user)
{
    struct puller *p = user;

    p->sounds = p->has_sound;
}

static void puller_on_screens(void *user, const struct screen_layout *layout)
{
    (void)user;
    (void)layout;
}

static void puller_on_resize_refused(void *user, unsigned result)
{
    (void)user;
    (void)result;
}

static void puller_on_continuous_updates_ended(void *user)
{
    struct puller *p = user;

    pacing_push_ended(p->pacing, tick_now());
    puller_wake(p, true);
}

static void puller_on_server_kind(void *user, bool counts)
{
    struct puller *p = user;

    puller_wake(
        p, pacing_server_kind(p->pacing, counts ? PACING_COUNTS : PACING_LIBVNCSERVER, tick_now()));
}

static void puller_on_accelerated(void *user, const struct accelerator_shown *shown)
{
    struct puller *p = user;

    (void)shown;
    puller_wake(p, pacing_server_kind(p->pacing, PACING_ACCELERATOR, tick_now()));
}

static bool puller_on_fence(void *user, uint32_t flags, const uint8_t *payload, size_t size,
                            struct reason *why)
{
    struct puller *p = user;

    return !pacing_fence(p->pacing, flags, payload, size) ||
           server_side_answer_fence(p->parts.server, flags, payload, size) ||
           reason_set(why, "the server sends fences and does not read the answers");
}

static const struct source_handlers puller_handlers = {
    .begun = puller_on_begun,
    .ended = puller_on_ended,
    .update_begun = puller_on_update_begun,
    .rectangle = puller_on_rectangle,
    .drawn = puller_on_drawn,
    .copied = puller_on_copied,
    .shown = puller_on_shown,
    .resized = puller_on_resized,
    .cursor = puller_on_cursor,
    .leds = puller_on_leds,
    .takes_key_codes = puller_on_nothing,
    .takes_more_buttons = puller_on_more_buttons,
    .takes_steps = puller_on_steps,
    .has_sound = puller_on_has_sound,
    .sound = puller_on_sound,
    .sound_message = puller_on_sound_message,
    .name = puller_on_text,
    .screens = puller_on_screens,
    .resize_refused = puller_on_resize_refused,
    .cut_text = puller_on_text,
    .cut_text_dropped = puller_on_dropped,
    .clipboard = puller_on_clipboard,
    .bell = puller_on_bell,
    .continuous_updates_ended = puller_on_continuous_updates_ended,
    .server_kind = puller_on_server_kind,
    .accelerated = puller_on_accelerated,
    .fence = puller_on_fence,
};

/* ---- the thread ---- */

static void puller_end(struct puller *p)
{
    pthread_mutex_lock(&p->lock);
    p->ended = true;
    pthread_mutex_unlock(&p->lock);
    puller_wake(p, true);
}

/* False: it is to end before it has begun. */
static bool puller_wait(struct puller *p)
{
    bool goes;

    pthread_mutex_lock(&p->lock);
    while (!p->goes && !p->ended)
        pthread_cond_wait(&p->changed, &p->lock);
    goes = p->goes && !p->ended;
    pthread_mutex_unlock(&p->lock);
    return goes;
}

static bool puller_begin(struct puller *p)
{
    p->pacing = server_side_pacing(p->parts.server);
    return message_source_open(&p->source, p->stream, p->parts.fb,
                               server_side_offers(p->parts.server), p->width, p->height, &p->why) &&
           viewer_side_resized(p->parts.viewer, p->width, p->height, NULL, 0, NULL, 0);
}

static void *puller_main(void *user)
{
    struct puller *p = user;
    struct source_handlers handlers = puller_handlers;

    prctl(PR_SET_NAME, "puller");
    handlers.user = p;
    if (puller_wait(p) && puller_begin(p))
        while (p->source.receive(p->source.self, &handlers, &p->why))
            ;
    puller_end(p);
    return NULL;
}

/* ---- its life ---- */

struct puller *puller_create(const struct puller_parts *parts)
{
    struct puller *p = calloc(1, sizeof *p);
    struct transport *socket = socket_adopt(parts->fd), *tap;

    if (!p || !socket) {
        if (socket)
            socket->ops->destroy(socket);
        free(p);
        return NULL;
    }
    p->parts = *parts;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->changed, NULL);
    tap = tap_create(socket, &p->tap);
    p->stream = tap ? stream_create(tap) : NULL;
    if (p->stream)
        return p;
    puller_destroy(p);
    return NULL;
}

void puller_destroy(struct puller *p)
{
    if (!p)
        return;
    if (p->source.destroy)
        p->source.destroy(p->source.self);
    stream_destroy(p->stream);
    pthread_cond_destroy(&p->changed);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

bool puller_start(struct puller *p)
{
    return pthread_create(&p->thread, NULL, puller_main, p) == 0;
}

void puller_go(struct puller *p, int width, int height)
{
    pthread_mutex_lock(&p->lock);
    p->goes = true;
    p->width = width;
    p->height = height;
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

bool puller_ended(struct puller *p)
{
    bool ended;

    pthread_mutex_lock(&p->lock);
    ended = p->ended;
    pthread_mutex_unlock(&p->lock);
    return ended;
}

const char *puller_why(const struct puller *p)
{
    return p->why.text[0] ? p->why.text : "out of memory";
}

void puller_stop(struct puller *p)
{
    viewer_side_end(p->parts.viewer);
    stream_cut(p->stream);
    pthread_mutex_lock(&p->lock);
    p->ended = true;
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->lock);
    pthread_join(p->thread, NULL);
}
