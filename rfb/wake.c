#include "rfb/wake.h"

#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>

#include "rfb/log.h"

void eventfd_wake(int fd, const char *whom)
{
    /* EAGAIN: it is readable already, as far as it can be */
    if (eventfd_write(fd, 1) != 0 && errno != EAGAIN)
        log_debug("cannot wake %s: %s", whom, strerror(errno));
}
