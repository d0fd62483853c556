#include "viewer/desktop/chosen.h"

#include <stdio.h>
#include <string.h>

#include "viewer/options/form/profile_file.h"
#include "viewer/servers/server_marks.h"

void chosen_deinit(struct chosen *c)
{
    options_deinit(&c->now);
}

/* ---- the start window ---- */

static void chosen_keep_start(struct chosen *c, const struct ui_choice *choice)
{
    struct chosen_start *s = &c->start;

    s->made = true;
    snprintf(s->address, sizeof s->address, "%s", choice->address ? choice->address : "");
    s->has_profile = choice->profile;
    snprintf(s->profile, sizeof s->profile, "%s", choice->profile ? choice->profile : "");
    s->view_only = choice->view_only;
    s->full_screen = choice->full_screen;
    s->shared = choice->shared;
    s->nearby = choice->nearby;
    s->has_way = choice->way;
    snprintf(s->way, sizeof s->way, "%s", choice->way ? choice->way : "");
}

/* As options are read. A choice that is NULL is the session's. Returns NULL: none was made, and the
 * command line names the server. */
static const struct options_choice *
chosen_choice(const struct chosen *c, const struct ui_choice *choice, struct options_choice *out)
{
    const struct chosen_start *s = &c->start;

    if (choice)
        *out = (struct options_choice){choice->address,     choice->profile, choice->view_only,
                                       choice->full_screen, choice->shared,  choice->nearby,
                                       choice->way};
    else
        *out = (struct options_choice){
            s->address, s->has_profile ? s->profile : NULL, s->view_only, s->full_screen, s->shared,
            s->nearby,  s->has_way ? s->way : NULL};
    return choice || s->made ? out : NULL;
}

/* What the form has said for this choice; NULL: for the server that the command line names. */
static const struct option_form *chosen_said(const struct chosen *c,
                                             const struct options_choice *choice)
{
    static const struct option_form nothing = {.count = 0};
    const char *profile = options_profile(c->base, choice);

    return !*c->said_for || (profile && strcmp(profile, c->said_for) == 0) ? &c->said : &nothing;
}

static const char *const chosen_ways[] = {"via", "ssh"};

/* The form has this way (NULL: it says none), whatever it said. */
static void chosen_form_set_way(struct option_form *form, const char *way)
{
    for (size_t i = 0; way && i < sizeof chosen_ways / sizeof *chosen_ways; i++) {
        struct form_field *f = option_form_field(form, chosen_ways[i]);
        const char *value = way_value(way, chosen_ways[i]);

        if (!f)
            continue;
        snprintf(f->value, sizeof f->value, "%.*s", FORM_VALUE_MAX - 1, value ? value : "");
        f->said = false;
    }
}

/* The form says nothing of ways any more. */
static void chosen_form_leave_way(struct option_form *form)
{
    for (size_t i = 0; i < sizeof chosen_ways / sizeof *chosen_ways; i++) {
        struct form_field *f = option_form_field(form, chosen_ways[i]);

        if (!f)
            continue;
        memcpy(f->value, f->before, sizeof f->value);
        f->said = false;
    }
}

/* A choice with a way of its own, or a profile's server, has nothing of what was said of ways for
 * others. */
static const struct option_form *chosen_said_beside(const struct chosen *c,
                                                    const struct options_choice *choice,
                                                    struct option_form *own)
{
    const struct option_form *said = chosen_said(c, choice);

    if (!choice || !(choice->way || (!*c->said_for && options_has_way(choice))))
        return said;
    *own = *said;
    chosen_form_leave_way(own);
    return own;
}

bool chosen_read(const struct chosen *c, const struct ui_choice *choice, struct options *o,
                 struct reason *why)
{
    struct options_choice made;
    const struct options_choice *read = chosen_choice(c, choice, &made);
    struct option_form own;

    return options_said(o, c->base, c->argc, c->argv, read, chosen_said_beside(c, read, &own),
                        CHOICE_CONNECT, why);
}

void chosen_take(struct chosen *c, const struct ui_choice *choice, struct options *o)
{
    options_deinit(&c->now);
    c->now = *o;
    c->has_now = true;
    explicit_bzero(o->password, sizeof o->password);
    if (choice)
        chosen_keep_start(c, choice);
}

struct scale chosen_scale(const struct options *o)
{
    if (!o->scale_said && o->recent && o->candidates.count == 0 &&
        system_scale_recall(&o->address, &o->route))
        return (struct scale){.kind = SCALE_SYSTEM};
    return o->scale;
}

/* ---- the form of options (struct form_source) ---- */

/* The server that the command line names, as it was typed. */
static const char *chosen_typed_address(const struct chosen *c)
{
    const struct options *o = c->base;

    return o->named ? o->named : o->server ? o->server : "";
}

/* The profile that a form is for; NULL: for whatever is begun next. One that was typed still counts
 * beside a choice that names none, but then the form is not about it. */
static const char *chosen_form_profile(const struct chosen *c, const struct options_choice *choice)
{
    return choice ? choice->profile : c->base->profile;
}

/* What counts for a choice without the form. False: that cannot be read. A profile is read as far
 * as it goes: it may name no server, and what does not go together in it is put right in the form.
 */
static bool chosen_read_bare(const struct chosen *c, const struct ui_choice *choice,
                             struct options *o)
{
    struct options_choice made;
    const struct options_choice *read = chosen_choice(c, choice, &made);
    struct reason never;

    return options_choose(o, c->base, c->argc, c->argv, read, &never) ||
           (read->profile && o->profile);
}

/* The form has what was chosen in the menu for this server, and does not say it. */
static void chosen_form_set_scale(struct scale scale, struct option_form *form)
{
    const struct options o = {.scale = scale};
    struct form_field *f = option_form_field(form, "scale");

    if (!f)
        return;
    option_value_text(&o, f->option, f->before, FORM_VALUE_MAX);
    memcpy(f->value, f->before, sizeof f->value);
}

static const char *chosen_form_fill(void *user, const struct ui_choice *choice,
                                    struct option_form *form, const char **profile)
{
    struct chosen *c = user;
    const struct options *now = !choice && c->has_now ? &c->now : c->base;
    struct options_choice made;
    const struct options_choice *about = chosen_choice(c, choice, &made);
    struct options o = {0};
    bool read = choice && chosen_read_bare(c, choice, &o);
    struct option_form own;

    if (read && choice->profile)
        now = &o;
    option_form_init(form, now);
    read = read && !o.scale_said;
    chosen_form_set_scale(!choice ? chosen_scale(now) : read ? chosen_scale(&o) : now->scale, form);
    options_deinit(&o);
    option_form_repeat(form, chosen_said_beside(c, about, &own));
    chosen_form_set_way(form, about ? about->way : NULL);
    *profile = chosen_form_profile(c, about);
    if (choice && choice->profile)
        return profile_names_server(choice->profile, c->server) ? c->server : "";
    if (choice)
        return choice->address ? choice->address : "";
    return c->start.made ? c->start.address : chosen_typed_address(c);
}

/* Whether its options go together. Where no server is named yet that is all that is to be seen. */
static bool chosen_form_check(const struct chosen *c, const struct options_choice *choice,
                              const struct option_form *form, enum choice_purpose purpose,
                              struct reason *why)
{
    struct options o;
    bool ok = options_said(&o, c->base, c->argc, c->argv, choice, form, purpose, why);

    options_deinit(&o);
    return ok;
}

/* The box of the start window, which is read behind the form, says what the form says. */
static void chosen_form_take_box(struct chosen *c)
{
    const struct form_field *f = option_form_field(&c->said, "view-only");

    if (f && form_field_is_said(f))
        c->start.view_only = strcmp(f->value, "on") == 0;
}

/* A server of the list has its own way, which the form of its session may change: then it is the
 * choice that says it, and not the form. */
static bool chosen_form_take_way(struct option_form *form, struct options_choice *about,
                                 char way[WAY_TEXT_MAX], struct reason *why)
{
    bool said;

    if (!about || !about->way)
        return true;
    if (!option_form_way(form, way, &said, why))
        return false;
    if (!*about->address && !way_value(way, "ssh"))
        return reason_set(why, "without --ssh this connection has no address: disconnect, and type "
                               "one");
    about->way = way;
    chosen_form_leave_way(form);
    return true;
}

static bool chosen_form_use(void *user, const struct ui_choice *choice,
                            const struct option_form *form, struct reason *why)
{
    struct chosen *c = user;
    struct options_choice made;
    const struct options_choice *about = chosen_choice(c, choice, &made);
    const char *profile = chosen_form_profile(c, about);
    struct option_form say = *form;
    char way[WAY_TEXT_MAX] = "";

    if (!chosen_form_take_way(&say, about ? &made : NULL, way, why) ||
        !chosen_form_check(c, about, &say, CHOICE_USE, why))
        return false;
    if (about && about->way)
        snprintf(c->start.way, sizeof c->start.way, "%s", way);
    c->said = say;
    snprintf(c->said_for, sizeof c->said_for, "%s", profile ? profile : "");
    option_form_say(&c->said);
    if (!choice)
        chosen_form_take_box(c);
    return true;
}

static enum profile_saved chosen_form_save(void *user, const struct ui_choice *choice,
                                           const struct option_form *form, const char *name,
                                           bool replace, char path[PATH_MAX], struct reason *why)
{
    struct chosen *c = user;
    struct options_choice made;
    const struct options_choice *about = chosen_choice(c, choice, &made);
    struct option_form say = *form;
    char way[WAY_TEXT_MAX] = "";
    const struct profile_source from = {.base = c->base,
                                        .argc = c->argc,
                                        .argv = c->argv,
                                        .server = about ? about->address : chosen_typed_address(c),
                                        .choice = about,
                                        .form = &say,
                                        .readdressed =
                                            choice && choice->profile && choice->address};

    if (!chosen_form_take_way(&say, about ? &made : NULL, way, why) ||
        !chosen_form_check(c, about, &say, CHOICE_SAVE, why))
        return PROFILE_REFUSED;
    return profile_save(name, &from, replace, path, why);
}

static void chosen_form_forget(void *user)
{
    struct chosen *c = user;

    c->said.count = 0;
}

static bool chosen_form_remove(void *user, const char *profile, struct reason *why)
{
    struct chosen *c = user;

    if (c->base->profile && strcmp(c->base->profile, profile) == 0)
        return reason_set(why,
                          "vnchl was started with --profile %s, which is needed until it ends: "
                          "start vnchl without it",
                          profile);
    if (!profile_delete(profile, why))
        return false;
    if (strcmp(c->said_for, profile) == 0)
        chosen_form_forget(c);
    return true;
}

/* Of no server: nothing but a way is read for it. */
static void chosen_form_typed_way(void *user, char out[WAY_TEXT_MAX])
{
    const struct chosen *c = user;
    const struct options_choice typed = {.address = "",
                                         .view_only = c->base->view_only,
                                         .full_screen = c->base->full_screen,
                                         .shared = c->base->shared};
    struct reason never;
    struct options o;

    out[0] = '\0';
    if (options_said(&o, c->base, c->argc, c->argv, &typed, chosen_said(c, &typed), CHOICE_USE,
                     &never))
        way_text(&o.route, out);
    options_deinit(&o);
}

struct form_source chosen_form_source(struct chosen *c)
{
    return (struct form_source){chosen_form_fill,
                                chosen_form_use,
                                chosen_form_save,
                                chosen_form_forget,
                                chosen_form_remove,
                                chosen_form_typed_way,
                                c};
}
