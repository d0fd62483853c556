#include "tools/accelerator/config.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ini.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rfb/clock.h"
#include "rfb/plain_file.h"
#include "tools/accelerator/leg.h"

/* For all names of one reading. */
#define LOOKUP_LIMIT (10 * TICK_S)

struct config *config_create(int cancel_fd)
{
    struct config *c = calloc(1, sizeof *c);

    if (!c)
        return NULL;
    c->connection.accelerate = true;
    c->connection.hold_most = (size_t)4 << 20;
    c->connection.handshake_limit = 60 * TICK_S;
    c->most_clients = 256;
    c->most_from_one = 32;
    c->drain_s = 30;
    c->lookup_until = tick_now() + LOOKUP_LIMIT;
    c->cancel_fd = cancel_fd;
    return c;
}

void config_free(struct config *c)
{
    if (!c)
        return;
    for (int i = 0; i < c->count; i++) {
        target_release(c->ports[i].target);
        targets_release(c->ports[i].by_name);
    }
    free(c);
}

/* ---- addresses ---- */

bool config_parse_listen(struct sockaddr_storage *address, const char *text, struct reason *why)
{
    struct sockaddr_in *v4 = (struct sockaddr_in *)address;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)address;
    const char *colon = strrchr(text, ':'), *digits = colon ? colon + 1 : text;
    char host[64] = "127.0.0.1";
    size_t length = colon ? (size_t)(colon - text) : 0;
    long port = strtol(digits, NULL, 10);

    memset(address, 0, sizeof *address);
    if (length > 0 && text[length - 1] == ':' && text[0] != '[' && strchr(text, ':') == colon - 1)
        length--; /* HOST::PORT */
    if (length > 1 && text[0] == '[' && text[length - 1] == ']')
        text++, length -= 2;
    if (*digits == '\0' || strspn(digits, "0123456789") != strlen(digits) || strlen(digits) > 5 ||
        port < 1 || port > 65535 || length >= sizeof host)
        return reason_set(why, "'%.60s' is no place to listen: use PORT or ADDRESS:PORT", text);
    if (colon) {
        memcpy(host, text, length);
        host[length] = '\0';
    }
    if (strcmp(host, "*") == 0)
        strcpy(host, "0.0.0.0");
    if (inet_pton(AF_INET, host, &v4->sin_addr) == 1) {
        v4->sin_family = AF_INET;
        v4->sin_port = htons((uint16_t)port);
    } else if (inet_pton(AF_INET6, host, &v6->sin6_addr) == 1) {
        v6->sin6_family = AF_INET6;
        v6->sin6_port = htons((uint16_t)port);
    } else {
        return reason_set(why,
                          "'%s' is no address of this machine: use a number, for example "
                          "192.0.2.1:5910",
                          host);
    }
    return true;
}

/* ---- settings ---- */

static bool number(const char *name, const char *text, long least, long most, long *out,
                   struct reason *why)
{
    char *end;

    errno = 0;
    *out = strtol(text, &end, 10);
    if (*text == '\0' || *end != '\0' || errno != 0 || *out < least || *out > most)
        return reason_set(why, "%s takes a number from %ld to %ld, not '%.40s'", name, least, most,
                          text);
    return true;
}

bool config_set(struct config *c, const char *name, const char *value, struct reason *why)
{
    long n;

    if (strcmp(name, "congestion") == 0) {
        if (!leg_congestion_known(value, why))
            return false;
        if (strlen(value) >= sizeof c->congestion)
            return reason_set(why, "congestion: '%.40s' is too long", value);
        strcpy(c->congestion, value);
        c->connection.congestion = c->congestion;
    } else if (strcmp(name, "continuous-updates") == 0) {
        if (strcmp(value, "own") != 0 && strcmp(value, "hide") != 0 && strcmp(value, "pass") != 0)
            return reason_set(why, "continuous-updates takes own, hide or pass, not '%.40s'",
                              value);
        c->connection.continuous = *value == 'o'   ? CONTINUOUS_OWN
                                   : *value == 'h' ? CONTINUOUS_HIDE
                                                   : CONTINUOUS_PASS;
    } else if (strcmp(name, "forward") == 0) {
        if (strcmp(value, "at-once") != 0 && strcmp(value, "whole") != 0)
            return reason_set(why, "forward takes at-once or whole, not '%.40s'", value);
        c->connection.whole = strcmp(value, "whole") == 0;
    } else if (strcmp(name, "accelerate") == 0) {
        if (strcmp(value, "yes") != 0 && strcmp(value, "no") != 0)
            return reason_set(why, "accelerate takes yes or no, not '%.40s'", value);
        c->connection.accelerate = strcmp(value, "yes") == 0;
    } else if (strcmp(name, "hold") == 0) {
        if (!number(name, value, 64, 1 << 20, &n, why))
            return false;
        c->connection.hold_most = (size_t)n << 10;
    } else if (strcmp(name, "handshake-limit") == 0) {
        if (!number(name, value, 1, 3600, &n, why))
            return false;
        c->connection.handshake_limit = n * TICK_S;
    } else if (strcmp(name, "clients") == 0) {
        if (!number(name, value, 1, 100000, &n, why))
            return false;
        c->most_clients = (unsigned)n;
    } else if (strcmp(name, "clients-per-address") == 0) {
        if (!number(name, value, 1, 100000, &n, why))
            return false;
        c->most_from_one = (unsigned)n;
    } else if (strcmp(name, "drain") == 0) {
        if (!number(name, value, 0, 86400, &n, why))
            return false;
        c->drain_s = (unsigned)n;
    } else if (strcmp(name, "metrics") == 0) {
        snprintf(c->metrics, sizeof c->metrics, "%s", value);
        return config_parse_listen(&c->metrics_address, value, why);
    } else {
        return reason_set(why, "there is no setting '%.40s'", name);
    }
    return true;
}

/* ---- ports ---- */

static struct config_port *port_named(struct config *c, const char *name, struct reason *why)
{
    struct config_port *p;

    for (int i = 0; i < c->count; i++)
        if (strcmp(c->ports[i].name, name) == 0)
            return &c->ports[i];
    if (c->count == CONFIG_PORTS_MAX || strlen(name) >= sizeof p->name) {
        reason_set(why, "more than %d ports, or a name longer than %d bytes", CONFIG_PORTS_MAX,
                   CONFIG_NAME - 1);
        return NULL;
    }
    p = &c->ports[c->count++];
    strcpy(p->name, name);
    return p;
}

static bool set_listen(struct config_port *p, const char *value, struct reason *why)
{
    if (p->listen[0])
        return reason_set(why, "[%s] listens twice", p->name);
    snprintf(p->listen, sizeof p->listen, "%s", value);
    return config_parse_listen(&p->address, value, why);
}

static bool set_server(struct config *c, struct config_port *p, const char *value,
                       struct reason *why)
{
    if (p->target)
        return reason_set(why, "[%s] has two servers", p->name);
    p->target = target_create(value, c->lookup_until, c->cancel_fd, why);
    return p->target != NULL;
}

static bool set_id(struct config *c, struct config_port *p, const char *digits, const char *value,
                   struct reason *why)
{
    struct target *t;

    if (*digits == '\0' || strspn(digits, "0123456789") != strlen(digits) || strlen(digits) > 18)
        return reason_set(why, "id.%.40s: an ID is a number", digits);
    p->by_name = p->by_name ? p->by_name : targets_create();
    t = target_create(value, c->lookup_until, c->cancel_fd, why);
    if (!t)
        return false;
    if (p->by_name && targets_add(p->by_name, strtoull(digits, NULL, 10), t))
        return true;
    target_release(t);
    return reason_set(why, "id.%s is there twice", digits);
}

bool config_add_port(struct config *c, const char *listen, const char *server, struct reason *why)
{
    char name[16];
    struct config_port *p;

    snprintf(name, sizeof name, "%d", c->count + 1);
    p = port_named(c, name, why);
    return p && set_listen(p, listen, why) && set_server(c, p, server, why);
}

/* ---- the file ---- */

struct reading {
    struct config *config;
    struct reason *why;
    bool failed;
};

static int take(void *user, const char *section, const char *name, const char *value)
{
    struct reading *r = user;
    struct config_port *p;
    bool ok;

    if (r->failed) /* the library goes on, but keeps the line of the first fault */
        return 0;
    if (strcmp(section, "accelerator") == 0) {
        ok = config_set(r->config, name, value, r->why);
    } else if (section[0] == '\0') {
        ok = reason_set(r->why, "'%.40s' stands before the first [section]", name);
    } else if (!(p = port_named(r->config, section, r->why))) {
        ok = false;
    } else if (strcmp(name, "listen") == 0) {
        ok = set_listen(p, value, r->why);
    } else if (strcmp(name, "server") == 0) {
        ok = set_server(r->config, p, value, r->why);
    } else if (strncmp(name, "id.", 3) == 0) {
        ok = set_id(r->config, p, name + 3, value, r->why);
    } else {
        ok = reason_set(r->why, "[%s] has no setting '%.40s': listen, server and id.NUMBER are",
                        section, name);
    }
    r->failed = !ok;
    return ok;
}

bool config_read(struct config *c, const char *path, struct reason *why)
{
    struct reason cause = {0};
    struct reading r = {c, &cause, false};
    char *text = NULL;
    size_t size;
    int error;
    FILE *f;

    if (c->file_count == CONFIG_FILES_MAX)
        return reason_set(why, "more than %d files", CONFIG_FILES_MAX);
    c->files[c->file_count++] = path;
    f = fopen(path, "re"); /* it may be a pipe: sessions do not wait for it (service.c) */
    if (!f)
        reason_set(why, "cannot read %s: %s", path, strerror(errno));
    if (!f || !(text = plain_file_take(f, path, &size, why)))
        return false;
    error = strlen(text) == size ? ini_parse_string(text, take, &r) : -1;
    free(text);
    if (error == -1)
        return reason_set(why, "%s holds bytes that are no text: it is damaged", path);
    if (r.failed)
        return reason_set(why, "%s, line %d: %s", path, error, cause.text);
    if (error != 0)
        return reason_set(why, "%s, line %d is neither [SECTION] nor NAME = VALUE", path, error);
    return true;
}

bool config_check(struct config *c, struct reason *why)
{
    if (c->count == 0)
        return reason_set(why, "no port: use --listen PORT --server ADDRESS, or --config FILE");
    for (int i = 0; i < c->count; i++) {
        const struct config_port *p = &c->ports[i];

        if (!p->listen[0])
            return reason_set(why, "[%s] has no listen", p->name);
        if (!p->target == !p->by_name)
            return reason_set(why, "[%s] needs a server, or id.NUMBER lines, and not both",
                              p->name);
        for (int j = 0; j < i; j++)
            if (memcmp(&p->address, &c->ports[j].address, sizeof p->address) == 0)
                return reason_set(why, "[%s] and [%s] listen on the same port", c->ports[j].name,
                                  p->name);
    }
    return true;
}
