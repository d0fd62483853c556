#include "rfb/worker/confined/decoder_caller.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>

#include "rfb/system/thread.h"
#include "rfb/worker/confined/decoder_messages.h"

struct film_decoder {
    uint32_t number;
    enum film_refusal refusal;
};

static struct {
    int fd;
    uint8_t *memory;
    clockid_t cpu; /* the process's CPU time */
    bool works;
    bool used[DECODERS_MOST]; /* these numbers */
} caller;

static bool caller_works(void)
{
    return caller.works;
}

/* What is not sent, or not answered as it should be, is the end: later answers would be of other
 * requests. */
static bool caller_goes_on(bool right)
{
    if (!right && caller.works) {
        caller.works = false;
        shutdown(caller.fd, SHUT_RDWR); /* by that it ends */
    }
    return caller.works;
}

static bool caller_send(const void *message, size_t size)
{
    ssize_t n;

    if (!caller.works)
        return false;
    while ((n = send(caller.fd, message, size, MSG_NOSIGNAL)) < 0 && errno == EINTR)
        ;
    return caller_goes_on(n == (ssize_t)size);
}

static bool caller_receive(struct decoder_answer *a)
{
    ssize_t n;

    while ((n = recv(caller.fd, a, sizeof *a, 0)) < 0 && errno == EINTR)
        ;
    return caller_goes_on(n == (ssize_t)sizeof *a && a->type <= DECODER_UNDECODED);
}

/* ---- decoders ---- */

static struct film_decoder *caller_create_as(struct decoder_request r)
{
    struct film_decoder *d;

    while (r.number < DECODERS_MOST && caller.used[r.number])
        r.number++;
    d = r.number < DECODERS_MOST ? calloc(1, sizeof *d) : NULL;
    if (!d)
        return NULL;
    if (!caller_send(&r, sizeof r)) {
        free(d);
        return NULL;
    }
    caller.used[r.number] = true;
    d->number = r.number;
    return d;
}

static struct film_decoder *caller_create(void)
{
    return caller_create_as((struct decoder_request){.type = DECODER_CREATE});
}

/* The process has one memory for all of them, as large as h264_contexts.c says. */
static struct film_decoder *caller_create_foreign(int64_t pixels_most, struct film_memory *memory)
{
    return caller_create_as(
        (struct decoder_request){.type = DECODER_CREATE_FOREIGN, .pixels_most = pixels_most});
}

static void caller_destroy(struct film_decoder *d)
{
    const struct decoder_request r = {.type = DECODER_DESTROY, .number = d->number};

    caller_send(&r, sizeof r);
    caller.used[d->number] = false;
    free(d);
}

/* False: no process that works as it should says it. */
static bool caller_take(const struct decoder_answer *a, struct film_view *out)
{
    if (a->w < 1 || a->h < 1 || (int64_t)a->w * a->h > H264_PIXELS_MOST || a->halved_x > 1 ||
        a->halved_y > a->halved_x || a->matrix >= FILM_MATRICES || a->full > 1)
        return false;
    *out = (struct film_view){.w = a->w,
                              .h = a->h,
                              .halved_x = a->halved_x,
                              .halved_y = a->halved_y,
                              .colour = {(enum film_matrix)a->matrix, a->full}};
    decoder_planes(out, caller.memory + DECODER_CODED_MOST);
    return true;
}

static bool caller_ask(struct film_decoder *d, struct decoder_request *r, const uint8_t *bytes,
                       size_t size, struct film_view *out)
{
    struct decoder_answer a;

    d->refusal = FILM_NOT_REFUSED;
    if (size > DECODER_CODED_MOST)
        return false;
    memcpy(caller.memory, bytes, size);
    r->number = d->number;
    r->size = size;
    if (!caller_send(r, sizeof *r) || !caller_receive(&a))
        return false;
    if (a.refusal <= FILM_TOO_MUCH)
        d->refusal = (enum film_refusal)a.refusal;
    if (a.type != DECODER_DECODED)
        return false;
    return caller_goes_on(caller_take(&a, out));
}

static bool caller_decode(struct film_decoder *d, const uint8_t *bytes, size_t size, bool key,
                          int w, int h, struct film_planes *out)
{
    struct decoder_request r = {.type = DECODER_DECODE, .key = key, .w = w, .h = h};
    struct film_view view = {0};

    if (!caller_ask(d, &r, bytes, size, &view))
        return false;
    *out = view.planes;
    return caller_goes_on(view.w == film_side(w) && view.h == film_side(h) && view.halved_y);
}

static bool caller_decode_foreign(struct film_decoder *d, const uint8_t *bytes, size_t size,
                                  struct film_view *out)
{
    struct decoder_request r = {.type = DECODER_DECODE_FOREIGN};

    return caller_ask(d, &r, bytes, size, out);
}

static enum film_refusal caller_refusal(const struct film_decoder *d)
{
    return d->refusal;
}

static double caller_seconds(void)
{
    return cpu_seconds(caller.cpu);
}

void decoder_caller_use(pid_t pid, int fd, uint8_t *memory)
{
    static const struct film_decoder_calls calls = {
        .works = caller_works,
        .create = caller_create,
        .create_foreign = caller_create_foreign,
        .destroy = caller_destroy,
        .decode = caller_decode,
        .decode_foreign = caller_decode_foreign,
        .refusal = caller_refusal,
        .seconds = caller_seconds,
    };
    const struct timeval patience = {.tv_sec = DECODER_PATIENCE};

    caller.fd = fd;
    caller.memory = memory;
    caller.works = clock_getcpuclockid(pid, &caller.cpu) == 0 &&
                   setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) == 0 &&
                   setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience) == 0;
    film_decoder_use(&calls);
}

void decoder_caller_confine(const struct worker_layers *layers)
{
    struct decoder_confinement c = {.wanted = layers};

    if (layers)
        c.layers = *layers;
    caller_send(&c, sizeof c);
}
