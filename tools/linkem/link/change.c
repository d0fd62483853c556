#include "tools/linkem/link/change.h"

#include <stdio.h>
#include <string.h>

#include "tools/linkem/units.h"

#define QUEUE_MAX     (UINT64_C(1) << 30)
#define QUEUE_TIME_MS 100
#define QUEUE_MIN     65536
#define AT_MAX        (24 * 3600 * TICK_S)

/* In the order of enum linkem_key. */
static const char *const names[] = {"delay", "rtt",  "jitter",  "rate",
                                    "queue", "loss", "gemodel", "udp"};

/* "P%,R%[,LOSS%]" */
static bool parse_gemodel(const char *option, const char *text, double *out)
{
    char copy[80], all[] = "100%";
    char *fields[3] = {NULL, NULL, all};
    int count = 0;
    if (strlen(text) < sizeof copy) {
        strcpy(copy, text);
        char *rest = copy;
        for (char *field; (field = strsep(&rest, ",")); count++) {
            fields[count < 3 ? count : 2] = field;
        }
    }
    if (count < 2 || count > 3) {
        linkem_error("%s '%.40s' is not P%%,R%% or P%%,R%%,LOSS%%; write for example 1%%,25%%",
                     option, text);
        return false;
    }
    return units_percent(option, fields[0], &out[0]) && units_percent(option, fields[1], &out[1]) &&
           units_percent(option, fields[2], &out[2]);
}

static bool parse_udp(const char *option, const char *text, uint64_t *least)
{
    bool drops = strcmp(text, "drop") == 0;
    if (drops || strcmp(text, "pass") == 0) {
        *least = drops ? 1 : 0;
        return true;
    }
    if (!units_bytes(option, text, LINKEM_BYTES_MAX, least)) {
        return false;
    }
    ++*least; /* what is larger than that */
    return true;
}

static bool parse_value(struct linkem_change *c, const char *option, const char *text)
{
    switch (c->key) {
    case LINKEM_KEY_DELAY:
    case LINKEM_KEY_JITTER:
        return units_time(option, text, LINKEM_DELAY_MAX, &c->value.time);
    case LINKEM_KEY_RTT:
        return units_time(option, text, 2 * LINKEM_DELAY_MAX, &c->value.time);
    case LINKEM_KEY_RATE:
        return units_rate(option, text, LINKEM_RATE_MAX, &c->value.number);
    case LINKEM_KEY_QUEUE:
        return units_bytes(option, text, QUEUE_MAX, &c->value.number);
    case LINKEM_KEY_LOSS:
        return units_percent(option, text, c->value.probability);
    case LINKEM_KEY_GEMODEL:
        return parse_gemodel(option, text, c->value.probability);
    case LINKEM_KEY_UDP:
        return parse_udp(option, text, &c->value.least);
    }
    return false;
}

/* Takes "rate", "down-rate" and "up-rate" apart; "rtt" has no ways. */
static bool parse_name(struct linkem_change *c, const char *name)
{
    bool down = strncmp(name, "down-", 5) == 0, up = strncmp(name, "up-", 3) == 0;
    c->applies[LINKEM_DOWN] = !up;
    c->applies[LINKEM_UP] = !down;
    name += down ? 5 : up ? 3 : 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) == 0 && !(i == LINKEM_KEY_RTT && (down || up))) {
            c->key = (enum linkem_key)i;
            return true;
        }
    }
    return false;
}

bool linkem_change_parse(struct linkem_change *c, const char *option, const char *name,
                         const char *text)
{
    *c = (struct linkem_change){.at = LINKEM_AT_START};
    if (!parse_name(c, name)) {
        linkem_error(
            "%s: '%.40s' is not one of rtt, delay, jitter, rate, queue, loss, gemodel and udp",
            option, name);
        return false;
    }
    return parse_value(c, option, text);
}

bool linkem_changes_add(struct linkem_changes *all, const char *option, const char *name,
                        const char *text, tick_t at)
{
    struct linkem_change c;
    if (!linkem_change_parse(&c, option, name, text)) {
        return false;
    }
    c.at = at;
    if (all->count == LINKEM_CHANGES_MAX) {
        linkem_error("more than %d settings of the link", LINKEM_CHANGES_MAX);
        return false;
    }
    all->list[all->count++] = c;
    return true;
}

bool linkem_changes_add_later(struct linkem_changes *all, const char *text)
{
    char copy[160], option[80];
    char *rest = copy, *time = NULL, *name = NULL;
    if (strlen(text) < sizeof copy) {
        strcpy(copy, text);
        time = strsep(&rest, ":");
        name = strsep(&rest, "=");
    }
    if (!time || !name || !rest) {
        linkem_error("--at '%.60s' is not TIME:NAME=VALUE; write for example 10s:rate=5mbit", text);
        return false;
    }
    tick_t at;
    snprintf(option, sizeof option, "--at %.16s:%.20s", time, name);
    return units_time("--at", time, AT_MAX, &at) && linkem_changes_add(all, option, name, rest, at);
}

static bool goes_before(const struct linkem_change *a, const struct linkem_change *b)
{
    bool general_a = a->applies[LINKEM_UP] && a->applies[LINKEM_DOWN];
    bool general_b = b->applies[LINKEM_UP] && b->applies[LINKEM_DOWN];
    return a->at != b->at ? a->at < b->at : general_a && !general_b;
}

void linkem_changes_sort(struct linkem_changes *all)
{
    /* qsort() is not stable. */
    for (int i = 1; i < all->count; i++) {
        struct linkem_change c = all->list[i];
        int j = i;
        for (; j > 0 && goes_before(&c, &all->list[j - 1]); j--) {
            all->list[j] = all->list[j - 1];
        }
        all->list[j] = c;
    }
}

static uint64_t default_queue(uint64_t rate)
{
    uint64_t bytes = rate / 8 * QUEUE_TIME_MS / 1000;
    return rate == 0 ? 0 : bytes > QUEUE_MIN ? bytes : QUEUE_MIN;
}

void linkem_change_apply(const struct linkem_change *c, struct linkem_config *configs,
                         bool *queue_given)
{
    for (int i = 0; i < LINKEM_DIRECTIONS; i++) {
        struct linkem_config *config = &configs[i];
        if (!c->applies[i]) {
            continue;
        }
        switch (c->key) {
        case LINKEM_KEY_DELAY:
            config->delay = c->value.time;
            break;
        case LINKEM_KEY_RTT:
            config->delay = c->value.time / 2;
            break;
        case LINKEM_KEY_JITTER:
            config->jitter = c->value.time;
            break;
        case LINKEM_KEY_RATE:
            config->rate = c->value.number;
            break;
        case LINKEM_KEY_QUEUE:
            config->queue_bytes = c->value.number;
            queue_given[i] = true;
            break;
        case LINKEM_KEY_LOSS:
            config->loss = c->value.probability[0];
            break;
        case LINKEM_KEY_GEMODEL:
            config->burst_p = c->value.probability[0];
            config->burst_r = c->value.probability[1];
            config->burst_loss = c->value.probability[2];
            break;
        case LINKEM_KEY_UDP:
            config->udp_least = c->value.least;
            break;
        }
        if (!queue_given[i]) {
            config->queue_bytes = default_queue(config->rate);
        }
    }
}
