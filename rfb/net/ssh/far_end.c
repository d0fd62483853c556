#include "rfb/net/ssh/far_end.h"

#include <errno.h>
#include <nettle/sha2.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

/* Of the end of a line, so much is kept. */
#define LINE_BYTES 128

/* ---- the address ---- */

bool far_end_address(struct address *a, const char *text, struct reason *why)
{
    char display[16];
    size_t length = text ? strlen(text) : 0;

    if (!text) {
        memset(a, 0, sizeof *a);
        strcpy(a->host, "localhost");
        return true;
    }
    if (length > 0 && length <= 5 && strspn(text, "0123456789") == length) {
        snprintf(display, sizeof display, ":%s", text);
        text = display;
    }
    return address_parse(a, text, why);
}

/* Between single quotes these mean themselves to every shell. */
static bool far_end_quotes(const char *path)
{
    for (const char *c = path; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f || strchr("'\\!", *c))
            return false;
    return true;
}

bool far_end_takes(const struct address *a, struct reason *why)
{
    if (*a->path)
        return far_end_quotes(a->path) ||
               reason_set(why,
                          "'%s' has a character that --ssh cannot pass on: a quote, \\, ! or a "
                          "control character",
                          a->path);
    return address_is_localhost(a->host) ||
           reason_set(why,
                      "--ssh leads to a server of that machine itself, such as :1, not to '%s': "
                      "--via goes on from there to another machine",
                      a->host);
}

/* ---- the command ---- */

/* Of this process. */
static struct far_end_secret {
    bool there;
    uint8_t bytes[FAR_END_TOKEN / 2];
} far_end_secret;

static void far_end_make_secret(void)
{
    far_end_secret.there = getrandom(far_end_secret.bytes, sizeof far_end_secret.bytes, 0) ==
                           sizeof far_end_secret.bytes;
}

void far_end_token(const struct gateway *g, const struct address *a, char out[FAR_END_TOKEN + 1])
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    char server[300];
    uint8_t sum[SHA256_DIGEST_SIZE];
    struct sha256_ctx sha;

    pthread_once(&once, far_end_make_secret);
    *out = '\0';
    if (!far_end_secret.there)
        return;
    address_format(a, server, sizeof server);
    sha256_init(&sha);
    sha256_update(&sha, sizeof far_end_secret.bytes, far_end_secret.bytes);
    sha256_update(&sha, strlen(g->host) + 1, (const uint8_t *)g->host);
    sha256_update(&sha, sizeof g->port, (const uint8_t *)&g->port);
    sha256_update(&sha, strlen(server) + 1, (const uint8_t *)server);
    sha256_digest(&sha, sizeof sum, sum);
    for (size_t i = 0; i < FAR_END_TOKEN / 2; i++)
        snprintf(out + 2 * i, 3, "%02x", sum[i]);
}

void far_end_command(const struct gateway *g, const struct address *a,
                     char out[FAR_END_COMMAND_MAX])
{
    char server[300], token[FAR_END_TOKEN + 1] = "";
    int used = snprintf(out, FAR_END_COMMAND_MAX, FAR_END_PROGRAM " --once --stdio%s",
                        g->asks ? " --ask" : "");

    if (g->keep_s > 0 && !g->asks)
        far_end_token(g, a, token);
    if (*token)
        used += snprintf(out + used, FAR_END_COMMAND_MAX - (size_t)used, " --keep %u --resume %s",
                         g->keep_s, token);
    if (!*a->path && a->port == 0)
        return;
    address_format(a, server, sizeof server);
    snprintf(out + used, FAR_END_COMMAND_MAX - (size_t)used, " --server '%s'", server);
}

/* ---- the greeting ---- */

/* Lines as they come. */
struct far_end_lines {
    char line[LINE_BYTES]; /* that is being read */
    size_t length;
    char last[LINE_BYTES]; /* that was not empty */
};

/* One byte more. Whether the line is at its end. */
static bool far_end_take(struct far_end_lines *l, char byte)
{
    if (byte != '\n' && l->length == sizeof l->line - 1) { /* the greeting may be at its end */
        l->length -= LINE_BYTES / 2;
        memmove(l->line, l->line + LINE_BYTES / 2, l->length);
    }
    if (byte != '\n') {
        l->line[l->length++] = byte ? byte : '?';
        return false;
    }
    l->line[l->length] = '\0';
    l->length = 0;
    if (l->line[strspn(l->line, " \t\r")])
        memcpy(l->last, l->line, sizeof l->last);
    return true;
}

/* A prompt, or a bell, may stand in front of the greeting in its line. */
static const char *far_end_find(const char *line)
{
    const char *found = strstr(line, FAR_END_MAGIC);

    return found ? found + strlen(FAR_END_MAGIC) : NULL;
}

static enum far_end_answer far_end_hear_version(const char *version, struct reason *why)
{
    if (strcmp(version, FAR_END_VERSION) == 0 || strcmp(version, FAR_END_VERSION "\r") == 0)
        return FAR_END_THERE;
    reason_set(
        why,
        FAR_END_PROGRAM
        " there speaks version %.10s of its greeting, and this vnchl version " FAR_END_VERSION
        ": upgrade the older of the two",
        version);
    return FAR_END_FAILED;
}

/* A single byte: what follows the greeting is for others to read. 0: the end; -1: not now. */
static int far_end_read(struct transport *t, char *byte)
{
    ssize_t n = t->ops->read(t, byte, 1);

    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return -1;
    return n > 0;
}

static enum far_end_answer far_end_at_end(struct far_end_lines *l, struct reason *why)
{
    far_end_take(l, '\n');
    reason_set(why, "%s", l->last);
    return FAR_END_SILENT;
}

enum far_end_answer far_end_await(struct transport *t, tick_t deadline, int cancel_fd,
                                  struct reason *why)
{
    struct far_end_lines lines = {.length = 0};
    const char *version;
    char byte;

    for (size_t read = 0; read < FAR_END_NOISE_MAX;) {
        int n = far_end_read(t, &byte);

        if (n == 0)
            return far_end_at_end(&lines, why);
        if (n > 0) {
            read++;
            if (far_end_take(&lines, byte) && (version = far_end_find(lines.line)))
                return far_end_hear_version(version, why);
            continue;
        }
        switch (t->ops->wait(t, POLLIN, cancel_fd, deadline)) {
        case TRANSPORT_WOKEN:
            reason_set(why, "stopped");
            return FAR_END_FAILED;
        case TRANSPORT_LATE:
            reason_set(why, FAR_END_PROGRAM " was not started there in time (--connect-timeout)");
            return FAR_END_FAILED;
        default:
            break;
        }
    }
    reason_set(why,
               "more than %d bytes were printed there before " FAR_END_PROGRAM
               " was started: let the shell's start files print nothing when it is not interactive",
               FAR_END_NOISE_MAX);
    return FAR_END_FAILED;
}
