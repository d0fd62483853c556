#include "rfb/system/thread.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>

#include "rfb/system/log.h"

bool detached_start(void *(*run)(void *user), void *user)
{
    sigset_t all, before;
    pthread_attr_t detached;
    pthread_t thread;
    int error;

    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    error = pthread_create(&thread, &detached, run, user);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&detached);
    errno = error;
    return error == 0;
}

void eventfd_wake(int fd, const char *whom)
{
    /* EAGAIN: it is readable already, as far as it can be */
    if (eventfd_write(fd, 1) != 0 && errno != EAGAIN)
        log_debug("cannot wake %s: %s", whom, strerror(errno));
}
