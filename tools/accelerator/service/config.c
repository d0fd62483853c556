#include "tools/accelerator/service/config.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ini.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rfb/system/clock.h"
#include "rfb/system/plain_file.h"
#include "tools/accelerator/service/announcement.h"
#include "tools/accelerator/transport/leg.h"

/* For all names of one reading. */
#define LOOKUP_LIMIT (10 * TICK_S)

/* ms: after that it is said that nobody writes into a pipe. Chosen: a program that writes a
 * configuration has begun by then. */
#define PIPE_QUIET 1000

struct config *config_create(int cancel_fd)
{
    struct config *c = calloc(1, sizeof *c);

    if (!c)
        return NULL;
    c->connection.accelerate = c->connection.push = c->connection.datagrams = true;
    c->connection.udp = (struct door_ports){DOOR_PORT_FIRST, DOOR_PORT_LAST};
    c->connection.ends_tls = true;
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

static bool config_number(const char *name, const char *text, long least, long most, long *out,
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

/* One of these words; *out is its place. */
static bool config_choice(const char *name, const char *value, const char *const words[], int *out,
                          struct reason *why)
{
    char all[80] = "";

    for (*out = 0; words[*out]; ++*out) {
        if (strcmp(value, words[*out]) == 0)
            return true;
        if (*out > 0)
            strcat(all, words[*out + 1] ? ", " : " or ");
        strcat(all, words[*out]);
    }
    return reason_set(why, "%s takes %s, not '%.40s'", name, all, value);
}

static bool config_path(const char *name, const char *value, char out[CONFIG_PATH],
                        struct reason *why)
{
    if (strlen(value) >= CONFIG_PATH || value[0] != '/')
        return reason_set(why, "%s takes a path that begins with '/', not '%.40s'", name, value);
    strcpy(out, value);
    return true;
}

/* FIRST-LAST. */
static bool config_set_udp_ports(struct door_ports *ports, const char *value, struct reason *why)
{
    static const char digits[] = "0123456789";
    size_t first = strspn(value, digits),
           last = value[first] == '-' ? strspn(value + first + 1, digits) : 0;
    long from = strtol(value, NULL, 10), to = last > 0 ? strtol(value + first + 1, NULL, 10) : 0;

    if (first < 1 || first > 5 || last < 1 || last > 5 || value[first + 1 + last] || from < 1024 ||
        from > to || to > 65535)
        return reason_set(
            why, "udp-ports takes FIRST-LAST, two numbers from 1024 to 65535, not '%.40s'", value);
    *ports = (struct door_ports){(uint16_t)from, (uint16_t)to};
    return true;
}

static bool config_set_congestion(struct config *c, const char *value, struct reason *why)
{
    if (!leg_congestion_known(value, why))
        return false;
    if (strlen(value) >= sizeof c->congestion)
        return reason_set(why, "congestion: '%.40s' is too long", value);
    strcpy(c->congestion, value);
    c->connection.congestion = c->congestion;
    return true;
}

/* auto, octopus, or octopus:MS, whose updates leave every so many ms. */
static bool config_set_push_policy(struct connection_options *o, const char *value,
                                   struct reason *why)
{
    static const char name[] = "octopus:", digits[] = "0123456789";
    const size_t size = sizeof name - 1;
    bool frozen = strncmp(value, name, size) == 0;
    size_t length = frozen ? strspn(value + size, digits) : 0;
    long ms =
        length > 0 && length <= 4 && !value[size + length] ? strtol(value + size, NULL, 10) : 0;

    if (frozen ? ms < 10 || ms > 1000 : strcmp(value, "auto") && strcmp(value, "octopus"))
        return reason_set(
            why, "push-policy takes auto, octopus, or octopus:MS with 10 to 1000 ms, not '%.40s'",
            value);
    o->octopus = value[0] == 'o';
    o->interval_ms = (unsigned)ms;
    return true;
}

/* How sessions go on. `known` becomes false when that is none of these settings. */
static bool config_set_session(struct config *c, const char *name, const char *value, bool *known,
                               struct reason *why)
{
    static const char *const pushes[] = {"own", "hide", "pass", NULL};
    static const char *const forwards[] = {"at-once", "whole", NULL};
    static const char *const answers[] = {"no", "yes", NULL};
    static const char *const algorithms[] = {"auto", "paper", NULL};
    static const char *const securities[] = {"server", "x509", "pass", NULL};
    struct connection_options *o = &c->connection;
    int choice = 0;
    bool ok;

    if (strcmp(name, "continuous-updates") == 0) {
        ok = config_choice(name, value, pushes, &choice, why);
        o->continuous = (enum continuous_updates)(choice % 3); /* as they are counted there */
    } else if (strcmp(name, "forward") == 0) {
        ok = config_choice(name, value, forwards, &choice, why);
        o->whole = choice == 1;
    } else if (strcmp(name, "push") == 0) {
        ok = config_choice(name, value, answers, &choice, why);
        o->push = choice == 1;
    } else if (strcmp(name, "push-policy") == 0) {
        ok = config_set_push_policy(o, value, why);
    } else if (strcmp(name, "datagrams") == 0) {
        ok = config_choice(name, value, answers, &choice, why);
        o->datagrams = choice == 1;
    } else if (strcmp(name, "accelerate") == 0) {
        ok = config_choice(name, value, answers, &choice, why);
        o->accelerate = choice == 1;
    } else if (strcmp(name, "algorithm") == 0) {
        ok = config_choice(name, value, algorithms, &choice, why);
        o->paper = choice == 1;
    } else if (strcmp(name, "security") == 0) {
        ok = config_choice(name, value, securities, &choice, why);
        o->ends_tls = choice < 2;
        o->certificate = choice == 1;
    } else {
        *known = ok = false;
    }
    return ok;
}

static bool config_set_number(struct config *c, const char *name, const char *value, bool *known,
                              struct reason *why)
{
    long n = 0;
    bool ok;

    if (strcmp(name, "hold") == 0) {
        ok = config_number(name, value, 64, 1 << 20, &n, why);
        c->connection.hold_most = (size_t)n << 10;
    } else if (strcmp(name, "handshake-limit") == 0) {
        ok = config_number(name, value, 1, 3600, &n, why);
        c->connection.handshake_limit = n * TICK_S;
    } else if (strcmp(name, "clients") == 0) {
        ok = config_number(name, value, 1, 100000, &n, why);
        c->most_clients = (unsigned)n;
    } else if (strcmp(name, "clients-per-address") == 0) {
        ok = config_number(name, value, 1, 100000, &n, why);
        c->most_from_one = (unsigned)n;
    } else if (strcmp(name, "drain") == 0) {
        ok = config_number(name, value, 0, 86400, &n, why);
        c->drain_s = (unsigned)n;
    } else {
        *known = ok = false;
    }
    return ok;
}

bool config_set(struct config *c, const char *name, const char *value, struct reason *why)
{
    bool known = true;
    bool ok = config_set_session(c, name, value, &known, why);

    if (known)
        return ok;
    known = true;
    ok = config_set_number(c, name, value, &known, why);
    if (known)
        return ok;
    if (strcmp(name, "congestion") == 0)
        return config_set_congestion(c, value, why);
    if (strcmp(name, "udp-ports") == 0)
        return config_set_udp_ports(&c->connection.udp, value, why);
    if (strcmp(name, "certificate") == 0)
        return config_path(name, value, c->certificate, why);
    if (strcmp(name, "key") == 0)
        return config_path(name, value, c->key, why);
    if (strcmp(name, "state") == 0)
        return config_path(name, value, c->state, why);
    if (strcmp(name, "metrics") != 0)
        return reason_set(why, "there is no setting '%.40s'", name);
    snprintf(c->metrics, sizeof c->metrics, "%s", value);
    return config_parse_listen(&c->metrics_address, value, why);
}

/* ---- ports ---- */

/* NULL: there is none of this name. */
static struct config_port *config_find_port(struct config *c, const char *name)
{
    for (int i = 0; i < c->count; i++)
        if (strcmp(c->ports[i].name, name) == 0)
            return &c->ports[i];
    return NULL;
}

static struct config_port *port_named(struct config *c, const char *name, struct reason *why)
{
    struct config_port *p = config_find_port(c, name);

    if (p)
        return p;
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

bool config_set_server_key(struct config_port *p, const char *value, struct reason *why)
{
    if (p->has_key)
        return reason_set(why, "[%s] has two keys of its server", p->name);
    p->has_key = fingerprint_parse(value, p->key);
    return p->has_key ||
           reason_set(why,
                      "server-key takes the SHA-256 fingerprint of a certificate, 64 hexadecimal "
                      "digits, not '%.40s'",
                      value);
}

bool config_set_announce(struct config_port *p, const char *value, struct reason *why)
{
    if (!announcement_built())
        return reason_set(why, "announce needs Avahi's client library, and this vnchl-accel is "
                               "built without");
    if (*value == '\0' || strlen(value) >= sizeof p->announce || !is_sanitised(value))
        return reason_set(why, "announce takes a name of 1 to %d bytes, not '%.80s'",
                          CONFIG_ANNOUNCE - 1, value);
    strcpy(p->announce, value);
    return true;
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
    int number = c->count + 1;

    do /* a section of the file may have such a name */
        snprintf(name, sizeof name, "%d", number++);
    while (config_find_port(c, name));
    p = port_named(c, name, why);
    return p && set_listen(p, listen, why) && set_server(c, p, server, why);
}

/* ---- the file ---- */

struct reading {
    struct config *config;
    struct reason *why;
    bool failed;
};

static int config_take(void *user, const char *section, const char *name, const char *value)
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
    } else if (strcmp(name, "server-key") == 0) {
        ok = config_set_server_key(p, value, r->why);
    } else if (strcmp(name, "announce") == 0) {
        ok = config_set_announce(p, value, r->why);
    } else if (strncmp(name, "id.", 3) == 0) {
        ok = set_id(r->config, p, name + 3, value, r->why);
    } else {
        ok = reason_set(
            r->why,
            "[%s] has no setting '%.40s': listen, server, server-key, announce and id.NUMBER "
            "are",
            section, name);
    }
    r->failed = !ok;
    return ok;
}

/* A pipe in the file's place may have nobody who writes into it. False, with a reason: the wait was
 * given up. */
static bool config_await(const struct config *c, int fd, const char *path, struct reason *why)
{
    struct pollfd p[2] = {{.fd = fd, .events = POLLIN}, {.fd = c->cancel_fd, .events = POLLIN}};
    struct stat is;

    if (fstat(fd, &is) != 0 || S_ISREG(is.st_mode))
        return true;
    if (poll(p, 2, PIPE_QUIET) == 0) {
        fprintf(stderr,
                "vnchl-accel: waiting for the configuration: %s is no regular file, and nobody "
                "writes into it\n",
                path);
        poll(p, 2, -1);
    }
    return !p[1].revents || reason_set(why, "nobody has written into %s", path);
}

/* Opens it without waiting, as a pipe would. NULL with a reason. */
static FILE *config_open(const struct config *c, const char *path, struct reason *why)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    FILE *f = NULL;

    if (fd >= 0 && !config_await(c, fd, path, why)) {
        close(fd);
        return NULL;
    }
    if (fd >= 0 && fcntl(fd, F_SETFL, O_RDONLY) == 0)
        f = fdopen(fd, "r");
    if (f)
        return f;
    reason_set(why, "cannot read %s: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return NULL;
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
    f = config_open(c, path, why); /* it may be a pipe: sessions do not wait for it (service.c) */
    if (!f || !(text = plain_file_take(f, path, &size, why)))
        return false;
    error = strlen(text) == size ? ini_parse_string(text, config_take, &r) : -1;
    free(text);
    if (error == -1)
        return reason_set(why, "%s holds bytes that are no text: it is damaged", path);
    if (r.failed)
        return reason_set(why, "%s, line %d: %s", path, error, cause.text);
    if (error != 0)
        return reason_set(why, "%s, line %d is neither [SECTION] nor NAME = VALUE", path, error);
    return true;
}

/* Its number as it is on the wire; 0: none. */
static in_port_t config_number_of(const struct sockaddr_storage *a)
{
    if (a->ss_family == AF_INET)
        return ((const struct sockaddr_in *)a)->sin_port;
    return a->ss_family == AF_INET6 ? ((const struct sockaddr_in6 *)a)->sin6_port : 0;
}

static bool config_is_any(const struct sockaddr_storage *a)
{
    if (a->ss_family == AF_INET)
        return ((const struct sockaddr_in *)a)->sin_addr.s_addr == htonl(INADDR_ANY);
    return IN6_IS_ADDR_UNSPECIFIED(&((const struct sockaddr_in6 *)a)->sin6_addr);
}

static bool config_same_host(const struct sockaddr_storage *a, const struct sockaddr_storage *b)
{
    if (a->ss_family == AF_INET)
        return ((const struct sockaddr_in *)a)->sin_addr.s_addr ==
               ((const struct sockaddr_in *)b)->sin_addr.s_addr;
    return IN6_ARE_ADDR_EQUAL(&((const struct sockaddr_in6 *)a)->sin6_addr,
                              &((const struct sockaddr_in6 *)b)->sin6_addr);
}

/* Whether who connects to the server comes to the port itself. A socket that listens on all
 * addresses of a family does so on none of the other's; "all" as the server's is this machine. */
static bool config_leads_back(const struct sockaddr_storage *port,
                              const struct sockaddr_storage *server)
{
    if (port->ss_family != server->ss_family || !config_number_of(port) ||
        config_number_of(port) != config_number_of(server))
        return false;
    return config_same_host(port, server) || (config_is_any(port) && leg_is_loopback(server)) ||
           (leg_is_loopback(port) && config_is_any(server));
}

static bool config_check_target(const struct config_port *p, const struct target *t,
                                struct reason *why)
{
    for (int i = 0; i < t->count; i++)
        if (config_leads_back(&p->address, &t->at[i].address))
            return reason_set(why, "[%s] leads back to itself: %.100s is where it listens, too",
                              p->name, t->text);
    return true;
}

static bool config_check_targets(const struct config_port *p, struct reason *why)
{
    if (p->target)
        return config_check_target(p, p->target, why);
    for (int i = 0; i < p->by_name->count; i++)
        if (!config_check_target(p, p->by_name->list[i].target, why))
            return false;
    return true;
}

static bool config_check_port(const struct config_port *p, struct reason *why)
{
    if (!p->listen[0])
        return reason_set(why, "[%s] has no listen", p->name);
    if (!p->target == !p->by_name)
        return reason_set(why, "[%s] needs a server, or id.NUMBER lines, and not both", p->name);
    if (p->has_key && !p->target)
        return reason_set(why, "[%s] has a server-key and no server", p->name);
    if (p->announce[0] && !p->target)
        return reason_set(why, "[%s]: who is announced has one server, and no id.NUMBER", p->name);
    if (p->announce[0] && leg_is_loopback(&p->address))
        return reason_set(why,
                          "[%s] is announced, and listens for this machine alone: listen on an "
                          "address of the network, such as '*:5910'",
                          p->name);
    if (p->has_key) {
        p->target->has_key = true;
        memcpy(p->target->key, p->key, sizeof p->key);
    }
    return config_check_targets(p, why);
}

bool config_check(struct config *c, struct reason *why)
{
    if (c->count == 0)
        return reason_set(why, "no port: use --listen PORT --server ADDRESS, or --config FILE");
    if (!c->certificate[0] != !c->key[0])
        return reason_set(why, "certificate and key have to be named together");
    for (int i = 0; i < c->count; i++) {
        const struct config_port *p = &c->ports[i];

        if (!config_check_port(p, why))
            return false;
        if (p->has_key && !c->connection.ends_tls)
            return reason_set(why, "[%s] has a server-key, which security = pass cannot look at",
                              p->name);
        for (int j = 0; j < i; j++)
            if (memcmp(&p->address, &c->ports[j].address, sizeof p->address) == 0)
                return reason_set(why, "[%s] and [%s] listen on the same port", c->ports[j].name,
                                  p->name);
    }
    return true;
}
