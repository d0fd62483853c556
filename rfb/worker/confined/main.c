/* vnchl-session: the process in which a session decodes what a server sent. vnchl starts it. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

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

int main(void)
{
    sigset_t none;

    if (fcntl(WORKER_CHANNEL_FD, F_GETFD) < 0 || fcntl(WORKER_PICTURE_FD, F_GETFD) < 0) {
        fputs("vnchl-session: this is a part of vnchl, which starts it; start vnchl instead\n",
              stderr);
        return 2;
    }
    sigemptyset(&none); /* they were blocked until here (spawn.c) */
    sigprocmask(SIG_SETMASK, &none, NULL);
    /* a receiver that still decodes may use memory: it is not freed */
    _exit(serve(WORKER_CHANNEL_FD, WORKER_PICTURE_FD));
}
