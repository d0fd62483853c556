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

/* False: nothing may be decoded. */
static bool decoding_confine(enum sandbox sandbox)
{
    struct worker_layers layers = {0};

    if (sandbox == SANDBOX_OFF)
        return true;
    confine_begin(&layers, CONFINED_DECODER);
    confine_finish(&layers);
    return sandbox != SANDBOX_REQUIRE || confine_suffices(&layers);
}

static void decoding_copy_plane(uint8_t *to, const uint8_t *from, int stride, int w, int h)
{
    for (int y = 0; y < h; y++)
        memcpy(to + (ptrdiff_t)y * w, from + (ptrdiff_t)y * stride, (size_t)w);
}

/* Copies the picture to where the session looks for it. */
static void decoding_hand_over(const struct film_view *from)
{
    struct film_view to = *from;
    uint8_t *decoded = decoding.memory + DECODER_CODED_MOST;
    int h = from->halved_y ? (from->h + 1) / 2 : from->h;

    decoder_planes(&to, decoded);
    for (int i = 0; i < 3; i++)
        decoding_copy_plane(decoded + (to.planes.plane[i] - decoded), from->planes.plane[i],
                            from->planes.stride[i], to.planes.stride[i], i == 0 ? from->h : h);
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

    if (!d)
        return a;
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

/* False: the session has gone. */
static bool decoding_serve(const struct decoder_request *r)
{
    struct film_decoder **d = &decoding.decoders[r->number];
    struct decoder_answer a = {.type = DECODER_NONE};

    switch (r->type) {
    case DECODER_CREATE:
        *d = film_decoder_create();
        return true;
    case DECODER_CREATE_FOREIGN:
        decoding.foreign.most = r->memory_most;
        *d = film_decoder_create_foreign(r->pixels_most, &decoding.foreign);
        return true;
    case DECODER_DESTROY:
        film_decoder_destroy(*d);
        *d = NULL;
        return true;
    default:
        if (film_decoder_works())
            a = decoding_decode(r);
        return send(decoding.fd, &a, sizeof a, MSG_NOSIGNAL) == (ssize_t)sizeof a;
    }
}

static bool decoding_receive(struct decoder_request *r)
{
    ssize_t n;

    while ((n = recv(decoding.fd, r, sizeof *r, 0)) < 0 && errno == EINTR)
        ;
    return n == (ssize_t)sizeof *r && r->number < DECODERS_MOST && r->size <= DECODER_CODED_MOST;
}

/* The first request only says that there is something to decode, until the process is confined. */
static void decoding_run(enum sandbox sandbox)
{
    struct decoder_request r;

    if (!decoding_receive(&r))
        return;
    film_decoder_load();
    if (!decoding_confine(sandbox))
        film_decoder_use(NULL);
    while (decoding_serve(&r) && decoding_receive(&r))
        ;
}

/* Nothing of what the session has: its channel to the viewer, its picture. */
static void decoding_begin(void)
{
    film_decoder_use(NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_DUMPABLE, 0);
    prctl(PR_SET_NAME, "vnchl-decoder");
    if (decoding.fd > STDERR_FILENO + 1)
        syscall(SYS_close_range, STDERR_FILENO + 1, (unsigned)decoding.fd - 1, 0);
    syscall(SYS_close_range, (unsigned)decoding.fd + 1, ~0u, 0);
}

pid_t decoder_process_start(enum sandbox sandbox, int *fd, uint8_t **memory)
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
    pid = fork();
    if (pid == 0) {
        decoding.fd = ends[1];
        decoding.memory = *memory;
        decoding_begin();
        decoding_run(sandbox);
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
