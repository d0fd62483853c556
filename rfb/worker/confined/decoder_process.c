#include "rfb/worker/confined/decoder_process.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rfb/worker/confined/confine.h"
#include "rfb/worker/confined/decoder_messages.h"

static struct {
    int fd;
    uint8_t *memory;
    struct film_decoder *decoders[DECODERS_MOST];
    struct film_memory foreign; /* of all that decode H.264 of other encoders */
} decoding;

/* False: it holds less than the session's confinement, and nothing may be decoded. */
static bool decoding_confine(const struct decoder_confinement *c)
{
    struct worker_layers layers = {0};

    if (!c->wanted)
        return true;
    confine_begin(&layers, CONFINED_DECODER);
    confine_finish(&layers);
    return layers.limits >= c->layers.limits && layers.files >= c->layers.files &&
           layers.calls >= c->layers.calls;
}

static uint8_t *decoding_copy_plane(uint8_t *to, const uint8_t *from, int stride, int w, int h)
{
    for (int y = 0; y < h; y++, to += w)
        memcpy(to, from + (ptrdiff_t)y * stride, (size_t)w);
    return to;
}

/* Copies the picture to where the session looks for it (decoder_planes()). */
static void decoding_hand_over(const struct film_view *v)
{
    uint8_t *to = decoding.memory + DECODER_CODED_MOST;

    to = decoding_copy_plane(to, v->planes.plane[0], v->planes.stride[0], v->w, v->h);
    for (int i = 1; i < 3; i++)
        to = decoding_copy_plane(to, v->planes.plane[i], v->planes.stride[i],
                                 v->halved_x ? (v->w + 1) / 2 : v->w,
                                 v->halved_y ? (v->h + 1) / 2 : v->h);
}

/* A far end's film has pictures of whole blocks. */
static bool decoding_decode_film(struct film_decoder *d, const struct decoder_request *r,
                                 struct film_view *view)
{
    *view = (struct film_view){
        .w = film_side(r->w), .h = film_side(r->h), .halved_x = true, .halved_y = true};
    return film_decode(d, decoding.memory, r->size, r->key, r->w, r->h, &view->planes);
}

static struct decoder_answer decoding_decode(const struct decoder_request *r)
{
    struct film_decoder *d = decoding.decoders[r->number];
    struct decoder_answer a = {.type = DECODER_UNDECODED};
    struct film_view view;

    if (r->type == DECODER_DECODE ? decoding_decode_film(d, r, &view)
                                  : film_decode_foreign(d, decoding.memory, r->size, &view)) {
        a = (struct decoder_answer){.type = DECODER_DECODED,
                                    .w = view.w,
                                    .h = view.h,
                                    .halved_x = view.halved_x,
                                    .halved_y = view.halved_y,
                                    .matrix = view.colour.matrix,
                                    .full = view.colour.full};
        decoding_hand_over(&view);
    }
    a.refusal = film_decoder_refusal(d);
    return a;
}

/* There is no decoder where libavcodec, confinement or memory was wanting. */
static bool decoding_answer(const struct decoder_request *r)
{
    const struct decoder_answer none = {.type = DECODER_NONE};
    struct decoder_answer a = decoding.decoders[r->number] ? decoding_decode(r) : none;

    return send(decoding.fd, &a, sizeof a, MSG_NOSIGNAL) == (ssize_t)sizeof a;
}

/* False: the session has gone, or is not as it was when it started this process. */
static bool decoding_serve(const struct decoder_request *r)
{
    struct film_decoder **d = &decoding.decoders[r->number];

    switch (r->type) {
    case DECODER_CREATE:
    case DECODER_CREATE_FOREIGN:
        if (*d)
            return false;
        *d = r->type == DECODER_CREATE
                 ? film_decoder_create()
                 : film_decoder_create_foreign(r->pixels_most, &decoding.foreign);
        return true;
    case DECODER_DESTROY:
        film_decoder_destroy(*d);
        *d = NULL;
        return true;
    case DECODER_DECODE:
    case DECODER_DECODE_FOREIGN:
        return decoding_answer(r);
    default:
        return false;
    }
}

static bool decoding_receive(void *message, size_t size)
{
    ssize_t n;

    while ((n = recv(decoding.fd, message, size, 0)) < 0 && errno == EINTR)
        ;
    return n == (ssize_t)size;
}

static bool decoding_receive_request(struct decoder_request *r)
{
    return decoding_receive(r, sizeof *r) && r->number < DECODERS_MOST &&
           r->size <= DECODER_CODED_MOST && r->pixels_most <= H264_PIXELS_MOST &&
           r->w <= FILM_PIXELS_MOST && r->h <= FILM_PIXELS_MOST;
}

/* The first request only says that there is something to decode, until the process is confined. */
static void decoding_run(void)
{
    struct decoder_confinement confinement;
    struct decoder_request r;

    if (!decoding_receive(&confinement, sizeof confinement) || !decoding_receive_request(&r))
        return;
    film_decoder_load();
    if (!decoding_confine(&confinement))
        film_decoder_use(NULL);
    while (decoding_serve(&r) && decoding_receive_request(&r))
        ;
}

/* Nothing of what the session has: its channel to the viewer, its picture. Signals of the terminal,
 * such as to stop, are not for this process. */
static void decoding_begin(void)
{
    decoding.foreign.most = H264_MEMORY_MOST;
    setsid();
    film_decoder_use(NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_DUMPABLE, 0);
    prctl(PR_SET_NAME, "vnchl-decoder");
    if (decoding.fd > STDERR_FILENO + 1)
        syscall(SYS_close_range, STDERR_FILENO + 1, (unsigned)decoding.fd - 1, 0);
    syscall(SYS_close_range, (unsigned)decoding.fd + 1, ~0u, 0);
}

pid_t decoder_process_start(int *fd, uint8_t **memory)
{
    int ends[2];
    pid_t pid;

    *memory = mmap(NULL, DECODER_MEMORY, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (*memory == MAP_FAILED)
        return -1;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        munmap(*memory, DECODER_MEMORY);
        return -1;
    }
    signal(SIGCHLD, SIG_DFL); /* its CPU time can be read when it has ended, too */
    pid = fork();
    if (pid == 0) {
        decoding.fd = ends[1];
        decoding.memory = *memory;
        decoding_begin();
        decoding_run();
        _exit(0);
    }
    close(ends[1]);
    *fd = ends[0];
    if (pid < 0) {
        close(ends[0]);
        munmap(*memory, DECODER_MEMORY);
    }
    return pid;
}
