#include "viewer/desktop/connection/picture_keeper.h"

#include "rfb/system/log.h"
#include "viewer/desktop/connection/last_picture.h"

void picture_keeper_begin(struct picture_keeper *k, const struct session_options *o)
{
    picture_keeper_drop(k);
    if (o->route.listen || *o->route.play) /* no server is named */
        return;
    if (!k->on) {
        picture_file_forget(&o->address, &o->route);
        for (int i = 0; i < o->candidates.count; i++)
            picture_file_forget(&o->candidates.at[i], &o->route);
    } else if (o->candidates.count == 0) { /* else nobody knows which server it will be */
        picture_file_load(&o->address, &o->route, &k->kept);
    }
}

/* Once: other servers may follow. */
static void picture_keeper_tell(struct picture_keeper *k, const struct session_options *o,
                                const struct session_stats *now)
{
    if (!k->on || k->told || *o->route.play || last_picture_is_proved(now, &o->address, &o->route))
        return;
    k->told = true;
    log_line(
        o->route.listen
            ? "the picture is not kept: with --listen no server is named"
            : "the picture is not kept: nothing proves who the server is. --keep-picture takes "
              "a certificate or a key, --ssh, or a Unix socket");
}

void picture_keeper_give(struct picture_keeper *k, const struct session_options *o,
                         struct session *s, const struct session_stats *now)
{
    if (k->kept.picture && last_picture_is_proved(now, &o->address, &o->route) &&
        last_picture_helps(&k->kept.was, now))
        session_give_old_picture(s, k->kept.picture);
    picture_keeper_tell(k, o, now);
    picture_keeper_drop(k);
}

void picture_keeper_end(struct picture_keeper *k, const struct session_options *o,
                        struct session *s)
{
    struct session_stats stats;
    struct reason why;

    if (!k->on)
        return;
    session_stats(s, false, &stats);
    if (stats.blocks && stats.accelerated &&
        last_picture_is_proved(&stats, &o->address, &o->route) &&
        !picture_file_save(&o->address, &o->route, &stats, session_framebuffer(s), &why))
        log_line("the picture is not kept: %s", why.text);
}

void picture_keeper_drop(struct picture_keeper *k)
{
    picture_file_deinit(&k->kept);
}
