#include "tools/accelerator/service/service.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tools/accelerator/events.h"
#include "tools/accelerator/service/confine.h"
#include "tools/accelerator/service/listener.h"
#include "tools/accelerator/service/manager.h"

/* A reading that looks a name up ends so soon when it is told to. */
#define CANCEL_LIMIT_MS 1000

/* ---- ports ---- */

static struct listener *service_find(struct listener *list, const struct sockaddr_storage *address)
{
    while (list && memcmp(&list->address, address, sizeof *address) != 0)
        list = list->next;
    return list;
}

/* Shuts those that are not of the configuration, and gives the others their ports there. */
static void keep_listeners(struct service *s, const struct config *config)
{
    struct listener *list = s->listeners, *next;

    s->listeners = NULL;
    for (; list; list = next) {
        const struct config_port *port = NULL;

        next = list->next;
        for (int i = 0; config && i < config->count; i++)
            if (memcmp(&config->ports[i].address, &list->address, sizeof list->address) == 0)
                port = &config->ports[i];
        if (!port) {
            listener_shut(list);
            continue;
        }
        list->port = port;
        list->next = s->listeners;
        s->listeners = list;
    }
}

static bool open_listeners(struct service *s, const struct config *config, struct reason *why)
{
    for (int i = 0; i < config->count; i++) {
        struct listener *l;

        if (service_find(s->listeners, &config->ports[i].address))
            continue;
        l = listener_open(s, &config->ports[i], why);
        if (!l)
            return false;
        l->next = s->listeners;
        s->listeners = l;
    }
    return true;
}

/* A kernel without BBR is said with what helps. */
static void service_say_congestion(struct service *s)
{
    const char *wanted = s->config->connection.congestion;
    struct reason why = {0};

    leg_congestion_in_force(wanted, s->congestion);
    if (wanted || leg_congestion_known(LEG_CONGESTION, &why))
        event_log(EVENT_ALWAYS, "congestion", "control=%s", s->congestion);
    else
        event_log(EVENT_ALWAYS, "congestion",
                  "control=%s why=\"%s; if it is a module, modprobe tcp_bbr loads it\"",
                  s->congestion, event_text(why.text));
}

static void service_use(struct service *s, struct config *config)
{
    struct config *old = s->config;

    s->config = config;
    s->host.options = &config->connection;
    if (old != config)
        config_free(old);
}

/* ---- who hears of us ---- */

static void on_news(uv_async_t *async)
{
    struct service *s = async->data;
    struct announcement_news news;

    if (!s->announcement || !announcement_take(s->announcement, &news))
        return;
    if (news.announced)
        event_log(EVENT_ALWAYS, "announced", "name=\"%s\"", event_text(news.text));
    else
        event_log(EVENT_ALWAYS, "not-announced", "why=\"%s\"", event_text(news.text));
}

/* Another thread. */
static void service_wake(void *user)
{
    struct service *s = user;

    uv_async_send(&s->news);
}

static void service_announce(struct service *s)
{
    if (s->announcement && announcement_change(s->announcement, s->config))
        return;
    announcement_end(s->announcement);
    s->announcement = announcement_create(s->config, service_wake, s);
}

static void service_announce_no_more(struct service *s)
{
    announcement_end(s->announcement);
    s->announcement = NULL;
}

/* ---- signals ---- */

/* In a thread of its own: names are looked up, and sessions do not wait for that. */
static void service_read_config(uv_work_t *work)
{
    struct service *s = work->data;

    s->reading.config = s->read(s->user, s->reading.cancel_fd, &s->reading.why);
}

static void use_new(struct service *s, struct config *config, struct reason *why)
{
    /* new ports first: when one is refused, all stays as it was */
    if (config && !open_listeners(s, config, why)) {
        keep_listeners(s, s->config);
        config_free(config);
        config = NULL;
    }
    if (config) {
        keep_listeners(s, config);
        service_use(s, config);
        event_log(EVENT_ALWAYS, "reloaded", "ports=%d", config->count);
        service_say_congestion(s);
        service_announce(s);
        if (config->connection.ends_tls && !s->identity)
            event_log(EVENT_ALWAYS, "no-identity", "why=\"it is made at the start only\"");
    } else {
        event_log(EVENT_ALWAYS, "not-reloaded", "why=\"%s\"", event_text(why->text));
    }
    manager_ready((unsigned)s->config->count);
}

static void service_reload(struct service *s);

static void on_read(uv_work_t *work, int status)
{
    struct service *s = work->data;

    (void)status; /* nobody takes it back */
    s->reading.under_way = false;
    if (s->draining)
        config_free(s->reading.config);
    else
        use_new(s, s->reading.config, &s->reading.why);
    if (s->reading.again && !s->draining)
        service_reload(s);
}

static void service_reload(struct service *s)
{
    s->reading.again = s->reading.under_way;
    if (s->reading.under_way)
        return;
    manager_reloading();
    s->reading.under_way = true;
    uv_queue_work(&s->loop, &s->reading.work, service_read_config, on_read);
}

static void end_if_empty(struct service *s)
{
    if ((s->draining || s->config->once) && s->clients == 0)
        uv_stop(&s->loop);
}

static void end_all(struct service *s)
{
    for (struct connection *c = LIST_FIRST(&s->host.all), *next; c; c = next) {
        next = connection_next(c);
        connection_end(c, "the accelerator ends");
    }
    uv_stop(&s->loop);
}

static void on_drained(uv_timer_t *timer)
{
    end_all(timer->data);
}

static void service_drain(struct service *s)
{
    manager_stopping();
    service_announce_no_more(s);
    keep_listeners(s, NULL);
    event_log(EVENT_ALWAYS, "ending", "clients=%u seconds=%u", s->clients, s->config->drain_s);
    s->draining = true;
    uv_timer_start(&s->drain, on_drained, (uint64_t)s->config->drain_s * 1000, 0);
    end_if_empty(s);
}

static void service_on_signal(uv_signal_t *handle, int number)
{
    struct service *s = handle->data;

    if (s->config->once && number != SIGHUP)
        spawner_end_all(&s->spawner);
    if (s->config->once)
        end_all(s);
    else if (number == SIGHUP && !s->draining)
        service_reload(s);
    else if (number == SIGTERM && !s->draining)
        service_drain(s);
    else if (number != SIGHUP)
        end_all(s);
}

/* ---- life ---- */

static void on_over(struct connection_host *host, struct connection *c)
{
    struct service *s = (struct service *)((char *)host - offsetof(struct service, host));

    (void)c;
    s->clients--;
    end_if_empty(s);
}

static void on_beat(uv_timer_t *timer)
{
    struct service *s = timer->data;

    manager_alive(s->clients);
}

static void on_figures(uv_timer_t *timer)
{
    struct service *s = timer->data;
    char text[METRICS_TEXT];

    metrics_write(s, text, sizeof text);
    metrics_set(s->metrics, text);
    listener_goes_on(s->metrics_listener);
}

/* ---- who we are ---- */

static void service_say_identity(const struct identity *i)
{
    char fingerprint[FINGERPRINT_TEXT];

    fingerprint_text(i->sha256, fingerprint);
    event_log(EVENT_ALWAYS, "identity", "sha256=%s made=%s", fingerprint,
              i->made ? "now" : "before");
}

/* What the administrator has named has to be there. Without a folder of its own the accelerator
 * goes on, and leaves TLS to the server. */
static bool service_find_identity(struct service *s, struct reason *why)
{
    const struct config *c = s->config;
    char folder[CONFIG_PATH];

    if (!c->connection.ends_tls)
        return true;
    if (c->once) {
        s->identity = identity_anonymous(why);
        return s->identity != NULL;
    }
    if (c->certificate[0]) {
        s->identity = identity_read(c->certificate, c->key, why);
        return s->identity != NULL;
    }
    if (c->state[0]) {
        s->identity = identity_keep(c->state, why);
        return s->identity != NULL;
    }
    if (identity_directory(folder, sizeof folder))
        s->identity = identity_keep(folder, why);
    else
        reason_set(why, "there is no folder for it: use state = FOLDER");
    if (!s->identity)
        event_log(EVENT_ALWAYS, "no-identity", "why=\"%s\"", event_text(why->text));
    return true;
}

static bool service_begin_identity(struct service *s, struct reason *why)
{
    if (!service_find_identity(s, why))
        return false;
    s->host.identity = s->identity;
    if (s->identity && !s->identity->anonymous_only)
        service_say_identity(s->identity);
    return true;
}

/* Passwords may pass through it. */
static uint8_t *service_make_scratch(void)
{
    uint8_t *scratch = aligned_alloc(4096, SCRATCH_BYTES);

    if (scratch)
        mlock(scratch, SCRATCH_BYTES);
    return scratch;
}

/* ---- the start ---- */

static void confine_all(struct service *s)
{
    struct confined c = confine(s->config->files, s->config->file_count);

    event_log(EVENT_ALWAYS, "confined", "files=%s calls=%s", c.files ? "yes" : "no",
              c.calls ? "yes" : "no");
}

/* Without it all clients get what the server sends. */
static void service_begin_spawner(struct service *s)
{
    struct reason why = {0};

    if (s->config->connection.push && !spawner_begin(&s->spawner, &why))
        event_log(EVENT_ALWAYS, "no-push", "why=\"%s\"", event_text(why.text));
}

/* Their port stays as it is when the configuration is read again. */
static bool listen_for_metrics(struct service *s, struct reason *why)
{
    if (!s->config->metrics[0])
        return true;
    snprintf(s->metrics_port.listen, sizeof s->metrics_port.listen, "%s", s->config->metrics);
    s->metrics_port.address = s->config->metrics_address;
    s->metrics_listener = listener_open(s, &s->metrics_port, why);
    return s->metrics_listener != NULL;
}

static bool begin_metrics(struct service *s, struct reason *why)
{
    if (!s->metrics_listener)
        return true;
    s->metrics = metrics_create(why);
    if (!s->metrics)
        return false;
    uv_timer_start(&s->figures, on_figures, 0, 1000);
    return true;
}

/* Two descriptors for each client. */
static void raise_limits(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

bool service_init(struct service *s, struct config *config, struct reason *why)
{
    static const int numbers[] = {SIGHUP, SIGTERM, SIGINT};
    int error;

    memset(s, 0, sizeof *s);
    s->spare_fd = s->reading.cancel_fd = s->spawner.fd = -1;
    raise_limits();
    error = uv_loop_init(&s->loop);
    if (error != 0) {
        s->config = config;
        return reason_set(why, "no event loop: %s", uv_strerror(error));
    }
    s->spare_fd = listener_spare();
    s->reading.cancel_fd = eventfd(0, EFD_CLOEXEC);
    s->reading.work.data = s;
    s->host.loop = &s->loop;
    s->host.totals = &s->totals;
    s->host.spawner = &s->spawner;
    s->host.over = on_over;
    s->host.scratch = service_make_scratch();
    for (int i = 0; i < 3; i++) {
        uv_signal_init(&s->loop, &s->signals[i]);
        s->signals[i].data = s;
        uv_signal_start(&s->signals[i], service_on_signal, numbers[i]);
    }
    uv_timer_init(&s->loop, &s->drain);
    uv_timer_init(&s->loop, &s->beat);
    uv_timer_init(&s->loop, &s->figures);
    uv_timer_init(&s->loop, &s->rest);
    uv_async_init(&s->loop, &s->news, on_news);
    s->news.data = s;
    s->drain.data = s->beat.data = s->figures.data = s->rest.data = s;
    service_use(s, config);
    if (!s->host.scratch || s->reading.cancel_fd < 0)
        return reason_set(why, "out of memory");
    service_begin_spawner(s);
    if (!service_begin_identity(s, why) || !open_listeners(s, config, why) ||
        !listen_for_metrics(s, why))
        return false;
    if (!config->once)
        service_say_congestion(s);
    confine_all(s); /* before there is another thread */
    return events_begin(why) && begin_metrics(s, why);
}

void service_run(struct service *s)
{
    if (manager_beat() > 0)
        uv_timer_start(&s->beat, on_beat, manager_beat(), manager_beat());
    manager_ready((unsigned)s->config->count);
    for (const struct listener *l = s->listeners; l; l = l->next)
        event_log(EVENT_ALWAYS, "listening", "port=\"%s\" server=\"%s\"", l->port->listen,
                  l->port->target ? l->port->target->text : "by its ID");
    service_announce(s);
    uv_run(&s->loop, UV_RUN_DEFAULT);
}

static void on_waited(uv_timer_t *timer)
{
    (void)timer; /* it is not active any more */
}

/* A configuration that is being read comes too late. */
static bool give_up_reading(struct service *s)
{
    s->draining = true;
    eventfd_write(s->reading.cancel_fd, 1);
    uv_timer_start(&s->drain, on_waited, CANCEL_LIMIT_MS, 0);
    while (s->reading.under_way && uv_is_active((const uv_handle_t *)&s->drain))
        uv_run(&s->loop, UV_RUN_ONCE);
    return !s->reading.under_way;
}

bool service_deinit(struct service *s)
{
    if (!s->host.loop) { /* there is none */
        config_free(s->config);
        return true;
    }
    if (!give_up_reading(s))
        return false;
    service_announce_no_more(s);
    keep_listeners(s, NULL);
    for (struct connection *c = LIST_FIRST(&s->host.all), *next; c; c = next) {
        next = connection_next(c);
        connection_cut(c);
    }
    for (int i = 0; i < 3; i++)
        uv_close((uv_handle_t *)&s->signals[i], NULL);
    uv_close((uv_handle_t *)&s->drain, NULL);
    uv_close((uv_handle_t *)&s->beat, NULL);
    uv_close((uv_handle_t *)&s->figures, NULL);
    uv_close((uv_handle_t *)&s->rest, NULL);
    uv_close((uv_handle_t *)&s->news, NULL);
    if (s->metrics_listener)
        listener_shut(s->metrics_listener);
    metrics_destroy(s->metrics);
    while (uv_run(&s->loop, UV_RUN_DEFAULT) != 0) /* until all is closed */
        ;
    uv_loop_close(&s->loop);
    if (s->spare_fd >= 0)
        close(s->spare_fd);
    if (s->reading.cancel_fd >= 0)
        close(s->reading.cancel_fd);
    free(s->host.scratch);
    spawner_end(&s->spawner);
    identity_destroy(s->identity);
    config_free(s->config);
    return true;
}
