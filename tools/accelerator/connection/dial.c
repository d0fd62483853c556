#include "tools/accelerator/connection/dial.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "rfb/net/repeater.h"
#include "tools/accelerator/transport/leg.h"

void dial_init(struct dial *d, struct target *target, struct targets *by_name)
{
    d->target = target_hold(target);
    d->by_name = targets_hold(by_name);
    d->next = 0;
}

void dial_deinit(struct dial *d)
{
    target_release(d->target);
    targets_release(d->by_name);
}

/* "ID:1234". */
static bool dial_number(const char *field, unsigned long long *number)
{
    char *end;

    if (strncmp(field, "ID:", 3) != 0)
        return false;
    *number = strtoull(field + 3, &end, 10);
    return end != field + 3 && *end == '\0';
}

enum dial_name dial_read_name(struct dial *d, struct bytes_held *in)
{
    char field[REPEATER_FIELD + 1] = "";
    unsigned long long number;

    if (in->size < REPEATER_FIELD)
        return DIAL_NAME_WAITS;
    memcpy(field, bytes_first(in), REPEATER_FIELD);
    bytes_take(in, REPEATER_FIELD);
    if (dial_number(field, &number))
        d->target = target_hold(targets_find(d->by_name, number));
    return d->target ? DIAL_NAME_KNOWN : DIAL_NAME_UNKNOWN;
}

int dial_next(struct dial *d, bool *connected, int *error)
{
    int fd = d->target->connection;

    if (fd >= 0) {
        d->target->connection = -1;
        *connected = true;
        d->next++;
    }
    while (fd < 0 && d->next < d->target->count) {
        const struct sockaddr_storage *address = &d->target->at[d->next].address;

        fd = leg_connect((const struct sockaddr *)address, d->target->at[d->next].size, connected);
        if (fd < 0)
            *error = errno;
        d->next++;
    }
    return fd;
}

bool dial_is_local(const struct dial *d)
{
    const struct sockaddr_storage *address = &d->target->at[d->next - 1].address;

    return address->ss_family == AF_UNIX || leg_is_loopback(address);
}
