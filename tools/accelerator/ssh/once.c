#include "tools/accelerator/ssh/once.h"

#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "rfb/net/far_end.h"
#include "tools/accelerator/events.h"
#include "tools/accelerator/service/service.h"
#include "tools/accelerator/ssh/own_login.h"
#include "tools/accelerator/ssh/own_server.h"
#include "tools/accelerator/ssh/pump.h"
#include "tools/accelerator/ssh/resume.h"

/* The viewer's socket is the connection's from here on. */
static bool once_begin_client(struct service *s, int client, struct target *server,
                              struct reason *why)
{
    const struct sockaddr_storage peer = {.ss_family = AF_UNIX};
    const struct connection_way way = {.target = server};

    s->clients++;
    s->last_id++;
    s->service_totals.accepted++;
    return connection_begin(&s->host, client, &peer, s->last_id, &way) != NULL ||
           reason_set(why, "out of memory");
}

/* The greeting is the last that can fail: behind it all is the viewer's. */
static bool once_serve(struct service *s, struct pump *pump, int client, struct target *server,
                       struct reason *why)
{
    bool begun = pump_say(pump, FAR_END_GREETING, why) && pump_begin(pump, &s->loop, why);

    if (!begun)
        close(client);
    begun = begun && once_begin_client(s, client, server, why);
    if (begun)
        service_run(s);
    for (struct connection *c; (c = LIST_FIRST(&s->host.all));) /* a signal has ended it */
        connection_cut(c);
    pump_end(pump);
    return begun;
}

/* With standard input and output taken. */
static bool once_run_service(struct config *config, struct pump *pump, int client,
                             struct target *server, struct reason *why)
{
    struct service service;
    bool served;

    if (service_init(&service, config, why)) {
        served = once_serve(&service, pump, client, server, why);
    } else {
        served = false;
        close(client);
        pump_end(pump);
    }
    service_deinit(&service);
    events_end();
    return served;
}

/* A server that has taken the password of the user's file has no need of the viewer's. */
static struct target *once_prove(struct target *target, const char *server, struct reason *why)
{
    char password[VNCAUTH_PASSWORD + 1];
    bool there = own_login_password(password);

    if (there)
        target->proven = own_login(target->connection, password);
    explicit_bzero(password, sizeof password);
    if (!there || target->proven)
        return target;
    target_release(target);
    return own_server_connect(server, why);
}

static bool once_begin(struct config *config, const char *server, bool proves, struct reason *why)
{
    struct target *target = own_server_connect(server, why);
    struct pump pump;
    int client;
    bool served = false;

    if (target && proves)
        target = once_prove(target, server, why);
    if (target && pump_take(&pump, &client, why)) {
        served = once_run_service(config, &pump, client, target, why);
    } else {
        if (target)
            pump_end(&pump);
        config_free(config);
    }
    target_release(target);
    return served;
}

static struct sockaddr_storage once_address(const char *text)
{
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_DGRAM}, *found;
    struct sockaddr_storage address = {.ss_family = AF_UNSPEC};

    if (getaddrinfo(text, NULL, &hints, &found) != 0)
        return address;
    memcpy(&address, found->ai_addr, found->ai_addrlen);
    freeaddrinfo(found);
    return address;
}

/* The addresses of who has come by ssh, and at which sshd was found: CLIENT PORT SERVER PORT. Where
 * it does not say them they stay AF_UNSPEC. */
static void once_learn_ssh(struct connection_options *o)
{
    const char *said = getenv("SSH_CONNECTION");
    char client[64], server[64];

    if (!said || sscanf(said, "%63s %*u %63s", client, server) != 2)
        return;
    o->ssh_client = once_address(client);
    o->ssh = once_address(server);
}

bool once_run(struct config *config, const char *server, bool proves, struct reason *why)
{
    struct resume kept;

    once_learn_ssh(&config->connection);
    if (!resume_find(&kept, &config->connection))
        return once_begin(config, server, proves, why);
    config_free(config);
    return resume_run(&kept, why);
}
