#include "prerequest/push/report.h"

static void report_octopus(const struct push_octopus *o, const struct push_plan *p,
                           struct push_report_figures *out)
{
    out->policy = "octopus";
    out->rate = o->bandwidth;
    out->fps = 1e9 / (double)push_octopus_interval(o, p);
    out->jpeg = push_octopus_jpeg(o, p);
}

static void report_auto(const struct push_plan *p, struct push_report_figures *out, tick_t now)
{
    const struct push_figures f = push_plan_figures(p, now);

    out->policy = "auto";
    out->rate = push_flow_known_rate(&p->flow);
    out->fps = f.gap > 0 ? 1e9 / (double)f.gap : 0;
    out->jpeg = f.jpeg;
    out->film_qp = p->film.on ? p->film.qp : 0;
}

bool push_report_make(struct push_report *r, const struct push_datagrams *d,
                      const struct push_plan *p, struct push_report_figures *out, tick_t now)
{
    uint64_t sent = p->flow.sent - r->sent;
    tick_t since = now - r->at;

    if (p->flow.sent < r->sent) /* it began anew */
        sent = p->flow.sent;
    if (since < PUSH_REPORT_EVERY || sent == 0)
        return false;
    *out = (struct push_report_figures){.sent = (double)sent * 1e9 / (double)since};
    if (d->on && d->octopus.on)
        report_octopus(&d->octopus, p, out);
    else
        report_auto(p, out, now);
    *r = (struct push_report){.sent = p->flow.sent, .at = now};
    return true;
}

/* Where the rate grows some are lost for that. Quiet rounds know better, once there were some. */
static double report_loss(const struct push_datagrams *d, const struct push_plan *p)
{
    uint64_t known = d->arrivals.received + d->arrivals.lost;

    if (!d->on)
        return -1;
    if (p->flow.loss.quiets > 0)
        return push_loss_usual(&p->flow.loss);
    return known < PUSH_REPORT_BLOCKS ? -1 : (double)d->arrivals.lost / (double)known;
}

void push_report_path(const struct push_datagrams *d, const struct push_plan *p,
                      struct response_far *out, tick_t now)
{
    out->path_queue = push_plan_figures(p, now).queue;
    out->loss = report_loss(d, p);
}
