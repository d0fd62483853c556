#include "tools/linkem/control.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/linkem/units.h"

bool linkem_control_open(struct linkem_control *c, const char *path)
{
    struct stat st;

    *c = (struct linkem_control){.fd = -1};
    if (!path) {
        return true;
    }
    /* For writing, too: else it would be at its end whenever nobody else has it open. */
    c->fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (c->fd < 0) {
        linkem_error("--control: cannot open %.200s: %s", path, strerror(errno));
        return false;
    }
    if (fstat(c->fd, &st) != 0 || !S_ISFIFO(st.st_mode)) {
        linkem_error("--control: %.200s is no FIFO; make one with mkfifo", path);
        linkem_control_close(c);
        return false;
    }
    return true;
}

void linkem_control_close(struct linkem_control *c)
{
    if (c->fd >= 0) {
        close(c->fd);
    }
    c->fd = -1;
}

static void linkem_control_apply(struct linkem_control *c, struct linkem_link *link)
{
    struct linkem_change change;
    char *value = c->line, *name = strsep(&value, "=");

    if (c->too_long || !value) {
        linkem_error("--control: '%.60s' is not NAME=VALUE; write for example loss=100%%", c->line);
    } else if (linkem_change_parse(&change, "--control", name, value)) {
        linkem_link_change(link, &change);
    }
}

static void linkem_control_take(struct linkem_control *c, char byte, struct linkem_link *link)
{
    if (byte != '\n') {
        c->too_long = c->too_long || c->size + 1 == sizeof c->line;
        if (!c->too_long) {
            c->line[c->size++] = byte;
        }
        return;
    }
    c->line[c->size] = '\0';
    linkem_control_apply(c, link);
    c->size = 0;
    c->too_long = false;
}

void linkem_control_read(struct linkem_control *c, struct linkem_link *link)
{
    char bytes[256];
    ssize_t size = read(c->fd, bytes, sizeof bytes);

    for (ssize_t i = 0; i < size; i++) {
        linkem_control_take(c, bytes[i], link);
    }
}
