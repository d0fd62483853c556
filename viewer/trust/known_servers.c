#include "viewer/trust/known_servers.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <unistd.h>

#include "rfb/system/log.h"
#include "rfb/system/plain_file.h"
#include "viewer/servers/server_key.h"
#include "viewer/whole_file.h"

/* Bytes of a line of ours: a key, a fingerprint and a date. */
#define LINE_MAX_BYTES 1024

/* So many damaged lines are named. */
#define DAMAGED_NAMED 3

/* In the place of a fingerprint: an authority has vouched for the certificate. */
#define VOUCHED "vouched"

/* ---- one line ---- */

/* One line of the file, read. */
struct entry {
    const char *host; /* points into the line; NULL: it is empty */
    unsigned long port;
    bool has_port;
    bool vouched; /* VOUCHED; else `sha256` counts */
    uint8_t sha256[FINGERPRINT_BYTES];
    const char *date;
};

static bool is_date(const char *text)
{
    static const char form[] = "dddd-dd-dd";

    if (strlen(text) != sizeof form - 1)
        return false;
    for (size_t i = 0; form[i]; i++)
        if (form[i] == 'd' ? !isdigit((unsigned char)text[i]) : text[i] != form[i])
            return false;
    return true;
}

static bool known_servers_parse_port(const char *text, unsigned long *out)
{
    char *end;

    if (!text || !isdigit((unsigned char)*text))
        return false;
    *out = strtoul(text, &end, 10);
    return *end == '\0' && *out <= UINT16_MAX;
}

/* Cuts the line into its fields. False: it is damaged; what can be read of it is in `out`. */
static bool known_servers_parse(char *line, struct entry *out)
{
    char *rest, *sha256;

    *out = (struct entry){.host = strtok_r(line, " \t", &rest)};
    if (!out->host)
        return false;
    out->has_port = known_servers_parse_port(strtok_r(NULL, " \t", &rest), &out->port);
    sha256 = strtok_r(NULL, " \t", &rest);
    out->date = strtok_r(NULL, " \t", &rest);
    if (!out->date || strtok_r(NULL, " \t", &rest) || !out->has_port || !is_date(out->date))
        return false;
    out->vouched = strcmp(sha256, VOUCHED) == 0;
    return out->vouched || fingerprint_parse(sha256, out->sha256);
}

/* Whether the line is of this server, or may be where its port cannot be read. */
static bool may_be_of(const struct entry *e, const char *host, unsigned port)
{
    return e->host && (!e->has_port || e->port == port) && server_key_is(host, e->host);
}

/* ---- the file ---- */

bool known_servers_path(char *out, size_t size, struct reason *why)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    int n;

    if (data && *data == '/') /* what is not absolute has to be ignored */
        n = snprintf(out, size, "%s/vnchl/known_servers", data);
    else if (home && *home == '/')
        n = snprintf(out, size, "%s/.local/share/vnchl/known_servers", home);
    else
        return reason_set(why, "neither XDG_DATA_HOME nor HOME names a folder");
    return (n > 0 && (size_t)n < size) || reason_set(why, "the name of the folder is too long");
}

static bool known_servers_failed(const char *doing, const char *file, struct reason *why)
{
    return reason_set(why, "cannot %s %s: %s", doing, file, strerror(errno));
}

/* The whole file as one string, empty where there is none. NULL with a reason. The caller frees
 * it. */
static char *known_servers_read_all(const char *path, struct reason *why)
{
    size_t size;
    char *text = plain_file_read(path, &size, why);

    if (!text && (errno == ENOENT || errno == ENOTDIR))
        return strdup("");
    if (text && strlen(text) == size)
        return text;
    if (text)
        reason_set(why, "%s holds bytes that are no text: it is damaged", path);
    free(text);
    return NULL;
}

/* ---- to look up ---- */

/* What is looked for, and what was found. */
struct search {
    const char *host;
    unsigned port;
    const uint8_t *sha256;
    bool names_damaged; /* says which lines are damaged */
    enum known known;   /* so far */
    struct known_server found;
    bool vouched;      /* an authority has vouched for a certificate of the server */
    unsigned damaged;  /* lines */
    unsigned doubtful; /* the first damaged line that is of the server, or may be; 0: none is */
};

static void note_damaged(struct search *s, const char *path, unsigned line, const struct entry *e)
{
    if (s->doubtful == 0 && may_be_of(e, s->host, s->port))
        s->doubtful = line;
    if (s->names_damaged && s->damaged++ < DAMAGED_NAMED)
        log_line("line %u of %s is damaged, and does not count", line, path);
}

static void note_found(struct search *s, unsigned line, const struct entry *e)
{
    bool same = memcmp(e->sha256, s->sha256, FINGERPRINT_BYTES) == 0;

    if (!same && s->known == KNOWN_CHANGED)
        return; /* the first one is told */
    s->known = same ? KNOWN_SAME : KNOWN_CHANGED;
    s->found.line = line;
    memcpy(s->found.sha256, e->sha256, FINGERPRINT_BYTES);
    snprintf(s->found.date, sizeof s->found.date, "%s", e->date);
}

static void known_servers_look_at(struct search *s, const char *path, unsigned line, char *text)
{
    struct entry e;

    text += strspn(text, " \t\r");
    text[strcspn(text, "\r")] = '\0';
    if (!*text || *text == '#')
        return;
    if (!known_servers_parse(text, &e))
        note_damaged(s, path, line, &e);
    else if (!may_be_of(&e, s->host, s->port))
        return;
    else if (e.vouched)
        s->vouched = true;
    else if (s->known != KNOWN_SAME)
        note_found(s, line, &e);
}

/* Looks at each line. Cuts `text` up. */
static void look_through(struct search *s, const char *path, char *text)
{
    unsigned line = 0;

    while (*text) {
        size_t length = strcspn(text, "\n");
        bool last = !text[length];

        text[length] = '\0';
        known_servers_look_at(s, path, ++line, text);
        text += length + !last;
    }
    if (s->damaged > DAMAGED_NAMED)
        log_line("%u more lines of %s are damaged", s->damaged - DAMAGED_NAMED, path);
}

static enum known no_place(struct reason *why)
{
    struct reason cause = *why;

    reason_set(
        why,
        "nobody can say which certificates were accepted before: %s. Set HOME to a folder of "
        "yours",
        cause.text);
    return KNOWN_FAILED;
}

/* What can be read of the server counts. Where only what cannot be read is left, nobody knows. */
static enum known known_servers_judge(const struct search *s, const char *path, struct reason *why)
{
    if (s->known != KNOWN_NOT || s->doubtful == 0)
        return s->known;
    reason_set(why,
               "line %u of %s is damaged, and it is of this server: mend the line, or remove it to "
               "forget which certificate was accepted",
               s->doubtful, path);
    return KNOWN_FAILED;
}

/* Reads the file. The rest of the search is filled in already. */
static enum known known_servers_look_up(struct search *s, struct reason *why)
{
    char path[PATH_MAX], *text;

    if (!known_servers_path(path, sizeof path, why))
        return no_place(why);
    text = known_servers_read_all(path, why);
    if (!text)
        return KNOWN_FAILED;
    look_through(s, path, text);
    free(text);
    return known_servers_judge(s, path, why);
}

enum known known_servers_check(const char *host, unsigned port,
                               const uint8_t sha256[FINGERPRINT_BYTES], struct known_server *found,
                               struct reason *why)
{
    struct search s = {.host = host, .port = port, .sha256 = sha256, .names_damaged = true};
    enum known known = known_servers_look_up(&s, why);

    *found = s.found;
    return known;
}

bool known_servers_has(const char *host, unsigned port, bool *has, struct reason *why)
{
    static const uint8_t none[FINGERPRINT_BYTES];
    struct search s = {.host = host, .port = port, .sha256 = none};
    enum known known = known_servers_look_up(&s, why);

    *has = known == KNOWN_SAME || known == KNOWN_CHANGED || s.vouched;
    return *has || known != KNOWN_FAILED;
}

/* ---- to remember ---- */

/* The new file takes the place of the old one. `line` comes behind the text; it may be empty. */
static bool known_servers_replace(const char *path, const char *text, const char *line,
                                  struct reason *why)
{
    size_t length = strlen(text);
    struct whole_file w;

    if (!whole_file_open(&w, path, why))
        return false;
    w.sync = true;
    fputs(text, w.f);
    if (length > 0 && text[length - 1] != '\n')
        fputc('\n', w.f);
    fputs(line, w.f);
    return whole_file_close(&w, why);
}

/* One writer at a time. Returns the lock's descriptor, which closing gives back, or -1. */
static int known_servers_lock(const char *path, struct reason *why)
{
    char lock_path[PATH_MAX + 8];
    int fd;

    snprintf(lock_path, sizeof lock_path, "%s.lock", path);
    fd = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd >= 0 && flock(fd, LOCK_EX) == 0)
        return fd;
    known_servers_failed("lock", lock_path, why);
    if (fd >= 0)
        close(fd);
    return -1;
}

/* The line of this server; without `sha256` one that was vouched for. False: its name does not fit
 * into one. */
static bool make_line(const char *host, unsigned port, const uint8_t *sha256, time_t now, char *out,
                      size_t size)
{
    char text[FINGERPRINT_TEXT] = VOUCHED, date[32] = "";
    struct tm utc = {0};
    int n;

    if (!*host || *host == '#' || strpbrk(host, " \t\r\n"))
        return false;
    gmtime_r(&now, &utc);
    strftime(date, sizeof date, "%Y-%m-%d", &utc);
    if (sha256)
        fingerprint_text(sha256, text);
    n = snprintf(out, size, "%s %u %s %s\n", host, port, text, date);
    for (char *c = out; *host != '/' && *c && *c != ' '; c++)
        *c = (char)tolower((unsigned char)*c);
    return n > 0 && (size_t)n < size;
}

static bool write_line(const char *path, const char *host, unsigned port, const uint8_t *sha256,
                       time_t now, struct reason *why)
{
    char line[LINE_MAX_BYTES], *text;
    bool ok;

    if (!make_line(host, port, sha256, now, line, sizeof line))
        return reason_set(why, "the name '%s' does not fit into the file", host);
    text = known_servers_read_all(path, why);
    ok = text && known_servers_replace(path, text, line, why);
    free(text);
    return ok;
}

/* With the lock held, as the next one: reads what is there now, and writes one line more. */
static bool add_line(const char *path, const char *host, unsigned port, const uint8_t *sha256,
                     time_t now, struct reason *why)
{
    struct search s = {.host = host, .port = port, .sha256 = sha256};

    switch (known_servers_look_up(&s, why)) {
    case KNOWN_SAME:
        return true;
    case KNOWN_CHANGED:
        return reason_set(why, "another certificate stands in line %u of %s", s.found.line, path);
    case KNOWN_FAILED:
        return false;
    case KNOWN_NOT:
        break;
    }
    return write_line(path, host, port, sha256, now, why);
}

static bool add_vouched(const char *path, const char *host, unsigned port, time_t now,
                        struct reason *why)
{
    bool has;

    return known_servers_has(host, port, &has, why) &&
           (has || write_line(path, host, port, NULL, now, why));
}

/* ---- to forget ---- */

/* Whether the line, which ends at its '\n' or NUL, is of this server, even if it is damaged. */
static bool is_of(const char *line, const char *host, unsigned port)
{
    char copy[LINE_MAX_BYTES];
    struct entry e;
    size_t length = strcspn(line, "\n");

    if (length >= sizeof copy)
        return false;
    snprintf(copy, sizeof copy, "%.*s", (int)length, line);
    copy[strcspn(copy, "\r")] = '\0';
    if (copy[strspn(copy, " \t")] == '#')
        return false;
    known_servers_parse(copy, &e);
    return e.has_port && may_be_of(&e, host, port);
}

/* Removes the lines of the server from the text, in place. True: there were some. */
static bool remove_lines(char *text, const char *host, unsigned port)
{
    const char *from = text;
    char *to = text;

    while (*from) {
        size_t length = strcspn(from, "\n");

        length += from[length] == '\n';
        if (!is_of(from, host, port)) {
            memmove(to, from, length);
            to += length;
        }
        from += length;
    }
    *to = '\0';
    return to != from;
}

/* Opens the lock's file, whose folder has to be there. -1 with a reason. */
static int lock_file(char path[PATH_MAX], struct reason *why)
{
    if (!known_servers_path(path, PATH_MAX, why) || !whole_file_make_folder(path, why))
        return -1;
    return known_servers_lock(path, why);
}

bool known_servers_forget(const char *host, unsigned port, struct reason *why)
{
    char path[PATH_MAX], *text;
    int fd = lock_file(path, why);
    bool ok;

    if (fd < 0)
        return false;
    text = known_servers_read_all(path, why);
    ok = text && (!remove_lines(text, host, port) || known_servers_replace(path, text, "", why));
    free(text);
    close(fd);
    return ok;
}

bool known_servers_add(const char *host, unsigned port, const uint8_t sha256[FINGERPRINT_BYTES],
                       time_t now, struct reason *why)
{
    char path[PATH_MAX];
    int fd = lock_file(path, why);
    bool ok;

    if (fd < 0)
        return false;
    ok = add_line(path, host, port, sha256, now, why);
    close(fd);
    return ok;
}

bool known_servers_add_vouched(const char *host, unsigned port, time_t now, struct reason *why)
{
    char path[PATH_MAX];
    int fd = lock_file(path, why);
    bool ok;

    if (fd < 0)
        return false;
    ok = add_vouched(path, host, port, now, why);
    close(fd);
    return ok;
}
