#include "tools/linkem/report.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/linkem/units.h"

static const char *const names[LINKEM_DIRECTIONS] = {[LINKEM_UP] = "up", [LINKEM_DOWN] = "down"};

static double late_mean_ms(const struct linkem_count *n)
{
    return n->packets_out ? tick_to_ms(n->late_sum) / (double)n->packets_out : 0;
}

/* Dropped in the device of the host that sends in this direction, before the model saw it. */
static uint64_t device_dropped(const struct linkem_report *r, int direction)
{
    return r->hosts[direction == LINKEM_UP ? LINKEM_CLIENT : LINKEM_SERVER].device_dropped;
}

void linkem_report_words(const struct linkem_report *r, FILE *to)
{
    for (int i = 0; i < LINKEM_DIRECTIONS; i++) {
        const struct linkem_way *w = &r->link->ways[i];
        const struct linkem_count *n = &w->count;
        fprintf(to,
                "vnchl-linkem: %s: %" PRIu64 " packets (%" PRIu64 " bytes) in, %" PRIu64
                " (%" PRIu64 ") out; dropped %" PRIu64 " at the tail, %" PRIu64 " by loss, %" PRIu64
                " as UDP; queue at most %" PRIu64 " bytes; late %.3f ms mean, %.3f max\n",
                names[i], n->packets_in, n->bytes_in, n->packets_out, n->bytes_out, n->full,
                n->lost, n->udp, n->queue_max_bytes, late_mean_ms(n), tick_to_ms(n->late_max));
        uint64_t outside = n->refused + n->write_failed + device_dropped(r, i);
        if (outside) {
            fprintf(to,
                    "vnchl-linkem: %s: %" PRIu64 " packets were dropped that the link should have "
                    "carried (%" PRIu64 " in the device, %" PRIu64 " for memory, %" PRIu64
                    " not delivered): this machine was too slow\n",
                    names[i], outside, device_dropped(r, i), n->refused, n->write_failed);
        }
    }
}

static void linkem_report_add(cJSON *o, const char *key, uint64_t value)
{
    cJSON_AddNumberToObject(o, key, (double)value);
}

static void add_direction(cJSON *root, const struct linkem_report *r, int i)
{
    const struct linkem_count *n = &r->link->ways[i].count;
    const struct linkem_config *c = &r->link->configs[i];
    cJSON *o = cJSON_AddObjectToObject(root, names[i]);
    linkem_report_add(o, "packets_in", n->packets_in);
    linkem_report_add(o, "bytes_in", n->bytes_in);
    linkem_report_add(o, "packets_out", n->packets_out);
    linkem_report_add(o, "bytes_out", n->bytes_out);
    linkem_report_add(o, "dropped_full", n->full);
    linkem_report_add(o, "dropped_full_bytes", n->full_bytes);
    linkem_report_add(o, "dropped_loss", n->lost);
    linkem_report_add(o, "dropped_loss_bytes", n->lost_bytes);
    linkem_report_add(o, "dropped_udp", n->udp);
    linkem_report_add(o, "dropped_device", device_dropped(r, i));
    linkem_report_add(o, "dropped_memory", n->refused);
    linkem_report_add(o, "dropped_write", n->write_failed);
    linkem_report_add(o, "left_out_multicast", n->multicast);
    linkem_report_add(o, "queue_max_bytes", n->queue_max_bytes);
    linkem_report_add(o, "held_bytes", r->link->ways[i].queue.held_bytes);
    cJSON_AddNumberToObject(o, "late_mean_ms", late_mean_ms(n));
    cJSON_AddNumberToObject(o, "late_max_ms", tick_to_ms(n->late_max));
    linkem_report_add(o, "late_1ms", n->late_1ms);
    cJSON *now = cJSON_AddObjectToObject(o, "link");
    linkem_report_add(now, "rate", c->rate);
    cJSON_AddNumberToObject(now, "delay_ms", tick_to_ms(c->delay));
    cJSON_AddNumberToObject(now, "jitter_ms", tick_to_ms(c->jitter));
    linkem_report_add(now, "queue_bytes", c->queue_bytes);
    cJSON_AddNumberToObject(now, "loss", c->loss);
    cJSON_AddNumberToObject(now, "burst_p", c->burst_p);
    cJSON_AddNumberToObject(now, "burst_r", c->burst_r);
    cJSON_AddNumberToObject(now, "burst_loss", c->burst_loss);
    cJSON_AddBoolToObject(now, "drops_udp", c->udp_least > 0);
    cJSON_AddBoolToObject(now, "reorder", c->reorder);
}

bool linkem_report_json(const struct linkem_report *r, FILE *to)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "duration_s", tick_to_s(r->duration));
    cJSON_AddNumberToObject(root, "status", r->status);
    /* As text: a double cannot hold every seed. */
    char seed[24];
    snprintf(seed, sizeof seed, "%" PRIu64, r->options->seed);
    cJSON_AddStringToObject(root, "seed", seed);
    cJSON_AddNumberToObject(root, "mtu", r->options->mtu);
    for (int i = 0; i < LINKEM_DIRECTIONS; i++) {
        add_direction(root, r, i);
    }
    char *text = cJSON_Print(root);
    cJSON_Delete(root);
    bool good = text && fprintf(to, "%s\n", text) > 0 && fflush(to) == 0;
    free(text);
    if (!good) {
        linkem_error("cannot write --stats: %s", strerror(errno));
    }
    return good;
}
