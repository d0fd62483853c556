/* vnchl-session: the process that decodes what a server sent: a session, which vnchl starts, or a
 * far end that pushes, which vnchl-accel starts. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "rfb/pusher/pusher.h"
#include "rfb/pusher/words.h"
#include "rfb/system/log.h"
#include "rfb/worker/confined/confine.h"
#include "rfb/worker/confined/serve.h"
#include "rfb/worker/worker_message.h"

#if defined(__SANITIZE_ADDRESS__)
/* It looks for leaks with a process of its own, which is not allowed here. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}
#endif

/* ---- a far end that pushes ---- */

static struct worker_layers push_layers;

static void push_confine_begin(void)
{
    confine_begin(&push_layers, CONFINED_SESSION);
}

static void push_confine_finish(void)
{
    confine_finish(&push_layers);
}

/* False: there is no such policy. */
static bool push_read_policy(const char *word, struct pusher_options *o)
{
    unsigned ms = 0;

    o->octopus = sscanf(word, PUSH_OCTOPUS "%5u", &ms) == 1;
    o->interval = ms * TICK_MS;
    return o->octopus || strcmp(word, PUSH_AUTO) == 0;
}

/* `words`: PUSH_WORD and what follows. Returns the exit status. */
static int push_serve(int count, char **words)
{
    unsigned keep = 0;
    struct reason why;
    bool begun;
    struct pusher_options options = {.server = SPAWN_FIRST_FD,
                                     .viewer = SPAWN_SECOND_FD,
                                     .confine_begin = push_confine_begin,
                                     .confine_finish = push_confine_finish};

    if (count != PUSH_WORDS || strcmp(words[PUSH_AT_VERSION], PUSH_VERSION) != 0 ||
        sscanf(words[PUSH_AT_SIZE], "%5dx%5d", &options.width, &options.height) != 2 ||
        sscanf(words[PUSH_AT_KEEP], "%9u", &keep) != 1 ||
        !push_read_policy(words[PUSH_AT_POLICY], &options))
        return 2;
    options.keep = keep * TICK_S;
    options.newcomers = keep > 0 ? SPAWN_THIRD_FD : -1;
    options.door = strcmp(words[PUSH_AT_DOOR], PUSH_DOOR) == 0 ? SPAWN_FOURTH_FD : -1;
    options.near = strcmp(words[PUSH_AT_SERVER], PUSH_SERVER_NEAR) == 0;
    snprintf(options.congestion, sizeof options.congestion, "%s", words[PUSH_AT_CONGESTION]);
    begun = pusher_run(&options, &why);
    if (why.text[0])
        log_line("pushing has ended: %s", why.text);
    return begun ? 0 : 1;
}

int main(int argc, char **argv)
{
    sigset_t none;

    if (fcntl(WORKER_CHANNEL_FD, F_GETFD) < 0 || fcntl(WORKER_PICTURE_FD, F_GETFD) < 0) {
        fputs(
            "vnchl-session: this is a part of vnchl and of vnchl-accel, which start it; start one "
            "of these instead\n",
            stderr);
        return 2;
    }
    sigemptyset(&none); /* they were blocked until here (spawn.c) */
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (argc > 1 && strcmp(argv[1], PUSH_WORD) == 0)
        _exit(push_serve(argc - 1, argv + 1));
    /* a receiver that still decodes may use memory: it is not freed */
    _exit(serve(WORKER_CHANNEL_FD, WORKER_PICTURE_FD));
}
