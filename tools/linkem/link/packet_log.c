#include "tools/linkem/link/packet_log.h"

#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <string.h>

#include "tools/linkem/units.h"

#define HEAD4    20
#define HEAD6    40
#define HEAD_TCP 20
#define HEAD_UDP 8

/* As in the statistics, without their `dropped_`. */
static const char *const fates[FATE_COUNT] = {
    [FATE_DELIVERED] = "delivered", [FATE_FULL] = "full",  [FATE_LOSS] = "loss", [FATE_UDP] = "udp",
    [FATE_MEMORY] = "memory",       [FATE_WRITE] = "write"};

/* What IP carries. */
struct packet_content {
    const char *protocol;
    uint32_t payload; /* bytes after the head of TCP or UDP */
};

static struct packet_content packet_log_content(const unsigned char *data, uint32_t bytes)
{
    const struct packet_content other = {"other", 0};
    uint32_t head = HEAD6;
    int protocol;
    if (bytes >= HEAD4 && data[0] >> 4 == 4) {
        head = 4 * (data[0] & 0xfu);
        protocol = data[9];
        /* A later fragment has no head of TCP or UDP. */
        if (head < HEAD4 || (data[6] & 0x1f) != 0 || data[7] != 0) {
            return other;
        }
    } else if (bytes >= HEAD6 && data[0] >> 4 == 6) {
        protocol = data[6];
    } else {
        return other;
    }
    if (protocol == IPPROTO_UDP && bytes >= head + HEAD_UDP) {
        return (struct packet_content){"udp", bytes - head - HEAD_UDP};
    }
    if (protocol == IPPROTO_TCP && bytes >= head + HEAD_TCP) {
        uint32_t own = 4 * (uint32_t)(data[head + 12] >> 4);
        if (own >= HEAD_TCP && bytes >= head + own) {
            return (struct packet_content){"tcp", bytes - head - own};
        }
    }
    return other;
}

/* What a write has returned; the first failure stays. */
static void packet_log_check(struct packet_log *l, bool good)
{
    if (!good && !l->error) {
        l->error = errno ? errno : EIO;
    }
}

bool packet_log_open(struct packet_log *l, const char *path)
{
    l->file = NULL;
    l->path = path;
    l->error = 0;
    if (!path) {
        return true;
    }
    l->file = fopen(path, "we");
    if (!l->file) {
        linkem_error("--packets: cannot write %.200s: %s", path, strerror(errno));
        return false;
    }
    setvbuf(l->file, l->buffer, _IOFBF, sizeof l->buffer);
    packet_log_check(l, fputs("taken_us,left_us,way,bytes,protocol,payload,fate\n", l->file) >= 0);
    return true;
}

void packet_log_add(struct packet_log *l, const struct packet_entry *e)
{
    if (!fates[e->fate] || l->error) {
        return;
    }
    struct packet_content content = packet_log_content(e->data, e->bytes);
    int written =
        fprintf(l->file, "%" PRId64 ",%" PRId64 ",%s,%" PRIu32 ",%s,%" PRIu32 ",%s\n",
                e->taken / 1000, e->left / 1000, e->direction == LINKEM_UP ? "up" : "down",
                e->bytes, content.protocol, content.payload, fates[e->fate]);
    packet_log_check(l, written >= 0);
}

bool packet_log_close(struct packet_log *l)
{
    if (!l->file) {
        return true;
    }
    errno = 0;
    packet_log_check(l, fclose(l->file) == 0);
    l->file = NULL;
    if (l->error) {
        linkem_error("--packets: cannot write all of %.200s: %s", l->path, strerror(l->error));
    }
    return !l->error;
}
