#include "rfb/pusher/about.h"

#include <stdio.h>
#include <string.h>

#include "rfb/proto/blocks.h"
#include "rfb/proto/extensions/turnaround.h"
#include "rfb/proto/server_messages.h"

/* The same each time, but for the way of datagrams, and digests: these are said once. */
static struct accelerator_shown about(const struct pusher_options *o)
{
    struct accelerator_shown shown = {
        .blocks_oldest = BLOCKS_OLDEST,
        .blocks_newest = BLOCKS_NEWEST,
        .goodbye = true,
        .each = o->octopus,
    };

    memcpy(shown.congestion, o->congestion, sizeof shown.congestion);
    return shown;
}

static bool about_say(const struct accelerator_shown *shown, struct bytes_held *out)
{
    uint8_t update[ACCELERATOR_UPDATE_MAX];

    return bytes_append(out, update, server_write_accelerator(update, shown));
}

bool about_show(const struct pusher_options *o, const struct path *path, const struct ahead *ahead,
                struct viewer_side *v, struct bytes_held *out)
{
    struct accelerator_shown shown = about(o);

    viewer_side_show(v, &shown);
    path_show(path, &shown);
    ahead_show(ahead, &shown);
    return about_say(&shown, out);
}

static unsigned about_kbit(double bytes)
{
    return (unsigned)(bytes < 1e9 ? bytes * 8e-3 : 8e6);
}

bool about_report(const struct pusher_options *o, struct viewer_side *v, struct bytes_held *out,
                  tick_t now)
{
    struct accelerator_shown shown = about(o);
    struct push_report_figures f;

    if (!viewer_side_report(v, &f, now))
        return true;
    snprintf(shown.pushing.policy, sizeof shown.pushing.policy, "%s", f.policy);
    shown.pushing.rate_kbit = about_kbit(f.rate);
    shown.pushing.sent_kbit = about_kbit(f.sent);
    shown.pushing.fps10 = (unsigned)(f.fps * 10 + 0.5);
    shown.pushing.jpeg = (unsigned)f.jpeg;
    shown.pushing.film_qp = (unsigned)f.film_qp;
    return about_say(&shown, out);
}

bool about_turnaround(struct viewer_side *v, struct bytes_held *out, tick_t now)
{
    uint8_t update[TURNAROUND_UPDATE];
    struct turnaround_told told;

    return !viewer_side_turnaround(v, &told, now) ||
           bytes_append(out, update, turnaround_write(update, told.number, &told.far));
}
