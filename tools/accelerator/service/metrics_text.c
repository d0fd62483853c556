/* The figures of the service, in the text format of Prometheus. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tools/accelerator/service/metrics.h"
#include "tools/accelerator/service/service.h"

struct sums {
    unsigned accelerated, pushed, unanswered;
    size_t held;
    tick_t oldest;
};

static struct sums add_up(const struct service *s)
{
    struct sums sums = {0};

    for (const struct connection *c = LIST_FIRST(&s->host.all); c; c = connection_next(c)) {
        struct connection_about about;

        connection_about(c, &about);
        sums.accelerated += about.accelerated;
        sums.pushed += about.pushed;
        sums.unanswered += about.unanswered;
        sums.held += about.held;
        sums.oldest = tick_later(sums.oldest, about.held_for);
    }
    return sums;
}

void metrics_write(const struct service *s, char *out, size_t size)
{
    struct sums sums = add_up(s);
    const struct {
        const char *name, *type, *help;
        double value;
    } figures[] = {
        {"clients", "gauge", "Clients that are connected", s->clients},
        {"clients_accelerated", "gauge", "Of these, those whose updates are asked for here",
         sums.accelerated},
        {"clients_pushed", "gauge", "Clients that blocks are pushed to", sums.pushed},
        {"bbr", "gauge", "1: the congestion control towards clients is BBR",
         strcmp(s->congestion, "bbr") == 0},
        {"connections_accepted_total", "counter", "Clients that have come",
         (double)s->service_totals.accepted},
        {"connections_refused_total", "counter", "Clients that were sent away",
         (double)s->service_totals.refused},
        {"pushed_total", "counter", "Sessions that blocks were pushed to",
         (double)s->totals.pushed},
        {"datagrams_refused_total", "counter", "Datagrams that were no viewer's",
         (double)s->totals.datagrams_refused},
        {"pipes_total", "counter", "Connections that were encrypted, and passed on as they are",
         (double)s->totals.pipes},
        {"tls_total", "counter", "Sessions with clients whose TLS ends here",
         (double)s->totals.tls},
        {"tls_failed_total", "counter", "Handshakes of TLS that failed",
         (double)s->totals.tls_failed},
        {"unknown_total", "counter", "Connections in which something unknown was said",
         (double)s->totals.lost},
        {"bytes_down_total", "counter", "Bytes to clients", (double)s->totals.bytes_down},
        {"bytes_up_total", "counter", "Bytes to servers", (double)s->totals.bytes_up},
        {"updates_total", "counter", "Updates to clients", (double)s->totals.updates},
        {"client_requests_total", "counter", "Requests of clients", (double)s->totals.requests},
        {"requests_made_total", "counter", "Requests made here", (double)s->totals.asked},
        {"requests_unanswered", "gauge", "Requests that wait at servers", sums.unanswered},
        {"held_bytes", "gauge", "Bytes that wait here for clients", (double)sums.held},
        {"held_seconds", "gauge",
         "How long the client that waits longest has got none of its bytes",
         tick_to_s(sums.oldest)},
    };
    size_t at = 0;

    for (size_t i = 0; i < sizeof figures / sizeof *figures && at < size; i++)
        at += (size_t)snprintf(out + at, size - at,
                               "# HELP vnchl_accel_%s %s.\n# TYPE vnchl_accel_%s %s\n"
                               "vnchl_accel_%s %.15g\n",
                               figures[i].name, figures[i].help, figures[i].name, figures[i].type,
                               figures[i].name, figures[i].value);
}
