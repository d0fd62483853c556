#include "viewer/desktop/options_page.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "rfb/net/address/address.h"
#include "viewer/desktop/pages/told/error_page.h"
#include "viewer/options/way.h"

/* Options that a session takes at once. */
static const char *const at_once[] = {"view-only", "clipboard", "scale", "quality", "reconnect"};

static bool options_page_is_at_once(const char *option)
{
    for (size_t i = 0; i < sizeof at_once / sizeof *at_once; i++)
        if (strcmp(at_once[i], option) == 0)
            return true;
    return false;
}

/* ---- what is shown ---- */

/* Those that count at once stand in front. */
static void options_page_sort(struct options_page *p)
{
    int count = 0;

    for (int later = 0; later < 2; later++)
        for (int i = 0; i < p->form.count; i++)
            if (!p->in_session ? !later
                               : options_page_is_at_once(p->form.fields[i].option->name) == !later)
                p->order[count++] = i;
}

static const char *options_page_heading(const struct options_page *p, int place)
{
    const struct option_form *f = &p->form;
    bool now = options_page_is_at_once(f->fields[p->order[place]].option->name);

    if (!p->in_session)
        return NULL;
    if (place == 0)
        return "These count at once";
    if (!now && options_page_is_at_once(f->fields[p->order[place - 1]].option->name))
        return "These count when it is connected again";
    return NULL;
}

static struct ui_form_field options_page_field(const struct options_page *p, int place,
                                               char help[512])
{
    static const enum ui_field_kind kinds[] = {[FORM_SWITCH] = UI_FIELD_SWITCH,
                                               [FORM_CHOICE] = UI_FIELD_CHOICE,
                                               [FORM_OPEN_CHOICE] = UI_FIELD_OPEN_CHOICE,
                                               [FORM_SET] = UI_FIELD_SET,
                                               [FORM_TEXT] = UI_FIELD_TEXT};
    const struct form_field *f = &p->form.fields[p->order[place]];

    snprintf(help, 512, "--%s: %s", f->option->name, f->option->help);
    return (struct ui_form_field){.heading = options_page_heading(p, place),
                                  .label = f->label,
                                  .help = help,
                                  .hint = f->option->argument,
                                  .kind = kinds[f->kind],
                                  .words = f->words,
                                  .value = f->value};
}

/* In the form of a profile. */
static struct ui_form_field options_page_server(const struct options_page *p)
{
    return (struct ui_form_field){.label = "Server",
                                  .help = "The address that this profile leads to. \"Save\" writes "
                                          "it. Without one the profile is for the address that is "
                                          "typed in the start window.",
                                  .hint = "HOST[:DISPLAY], a link or a file",
                                  .kind = UI_FIELD_TEXT,
                                  .value = p->server};
}

static const char options_page_naming[] =
    "Writes a profile, for the start window and --profile. To duplicate the profile that you began "
    "with, give another name: the copy has its lines and your changes, and the first one stays as "
    "it is. A profile that is there already is replaced only after a question.";

static void options_page_answered(void *owner, enum ui_form_answer answer,
                                  const char *const *values, const char *name);

/* Over the start window: it is about one of the profiles there. */
static bool options_page_has_profile(const struct options_page *p)
{
    return !p->in_session && p->choice.profile;
}

/* With the focus on this option; NULL: on what `focus` says. */
static void options_page_show(struct options_page *p, const char *warning, const char *done,
                              int focus)
{
    struct ui_form_field fields[FORM_FIELDS_MAX + 1];
    char helps[FORM_FIELDS_MAX][512], sentence[ERROR_PAGE_WHY_MAX], title[sizeof p->profile + 32];
    struct ui_form form = {
        .title = title,
        .text = p->in_session ? NULL
                : options_page_has_profile(p)
                    ? "They count for the next connection with this profile."
                    : "They count for the connection that you begin next.",
        .warning = warning ? sentence : NULL,
        .done = done,
        .fields = fields,
        .count = p->first + p->form.count,
        .focus = focus,
        .name = p->name,
        .naming = options_page_naming,
        .save = p->may_replace ? "Replace it" : "Save",
        .use = "Use",
        .use_now = p->in_session ? "Use and connect again" : NULL,
        .cancel = p->in_session ? "Cancel" : "Back",
        .answered = options_page_answered,
        .owner = p,
    };

    if (options_page_has_profile(p))
        snprintf(title, sizeof title, "Options of the profile %s", p->profile);
    else
        strcpy(title, "Options");
    error_page_sentence(warning ? warning : "", sentence, sizeof sentence);
    fields[0] = options_page_server(p);
    for (int i = 0; i < p->form.count; i++)
        fields[p->first + i] = options_page_field(p, i, helps[i]);
    ui_show_form(p->ui, &form);
}

/* Where a field of the form stands. */
static int options_page_place(const struct options_page *p, const struct form_field *f)
{
    int place = 0;

    while (place < p->form.count - 1 && &p->form.fields[p->order[place]] != f)
        place++;
    return p->first + place;
}

/* ---- what is said ---- */

/* A way is not said beside the others: it stands before them, whoever has said it. */
static bool options_page_is_way(const struct options_page *p, const struct form_field *f)
{
    return !*p->profile &&
           (strcmp(f->option->name, "via") == 0 || strcmp(f->option->name, "ssh") == 0);
}

/* What the form says, behind what stands in `said`; `title` comes before the first option. */
static void options_page_add_said(const struct options_page *p, const char *title,
                                  char said[DIALOGS_SAID_MAX])
{
    size_t used = strlen(said);

    for (int i = 0; i < p->form.count && used < DIALOGS_SAID_MAX; i++) {
        const struct form_field *f = &p->form.fields[i];

        if (!form_field_is_said(f) || !*f->value || options_page_is_way(p, f))
            continue;
        used += (size_t)snprintf(said + used, DIALOGS_SAID_MAX - used, "%s --%s=%s", title,
                                 f->option->name, f->value);
        title = "";
    }
}

/* The start window shows it as it would be typed, with the profile that it is for; and the way that
 * counts there, also one of the command line or of a file. */
static void options_page_note(struct options_page *p)
{
    char said[DIALOGS_SAID_MAX] = "", title[sizeof p->profile + 20] = "", way[WAY_TEXT_MAX];
    size_t used;

    p->source->way(p->source->user, way);
    sanitise(way);
    if (*way)
        snprintf(said, sizeof said, "Options: --%s", way);
    if (*p->profile)
        snprintf(title, sizeof title, "%sOptions of %s:", *way ? ". " : "", p->profile);
    else if (!*way)
        strcpy(title, "Options:");
    options_page_add_said(p, title, said);
    used = strlen(said);
    if (*way)
        snprintf(said + used, sizeof said - used, ". --%.*s counts for an address that is typed%s.",
                 (int)strcspn(way, "="), way,
                 way_value(way, "repeater") ? "" : "; \"Options...\" changes it");
    p->noted = true;
    dialogs_set_said(p->dialogs, said, way);
}

/* The box of the start window says it, and not the form. A profile counts more than a box that was
 * not changed: there the form says it, too. */
static void options_page_take_box(const struct options_page *p, struct option_form *form, bool *box)
{
    const bool profile = options_page_has_profile(p);
    struct form_field *f = option_form_field(form, "view-only");

    if (p->in_session || !f || (profile && !form_field_is_said(f)))
        return;
    *box = strcmp(f->value, "on") == 0;
    if (profile)
        return;
    memcpy(f->value, f->before, sizeof f->value);
    f->said = false;
}

static bool options_page_is_readdressed(const struct options_page *p)
{
    return p->first > 0 && strcmp(p->server, p->server_before) != 0;
}

/* What the form is about, of a copy of what the start window holds: a profile alone, with another
 * server if the form has one, whatever is typed beside it. NULL: the session. */
static const struct ui_choice *options_page_about(const struct options_page *p,
                                                  struct ui_choice *choice)
{
    if (p->in_session)
        return NULL;
    if (choice->profile) {
        choice->address = options_page_is_readdressed(p) ? p->server : NULL;
        choice->nearby = false;
    }
    return choice;
}

static bool options_page_changed(const struct options_page *p, const char *option)
{
    struct option_form form = p->form, shown = p->shown;
    const struct form_field *now = option_form_field(&form, option),
                            *before = option_form_field(&shown, option);

    return now && before && strcmp(now->value, before->value) != 0;
}

/* enum clipboard_way */
static unsigned options_page_ways(const struct options *o)
{
    return (o->send_clipboard ? CLIPBOARD_SEND : 0) | (o->accept_clipboard ? CLIPBOARD_RECEIVE : 0);
}

/* What a session can change while it is up. */
static void options_page_change_session(struct options_page *p)
{
    struct options o = {0};

    option_form_apply(&p->form, &o);
    if (options_page_changed(p, "view-only"))
        front_toggle_view_only(p->front);
    if (options_page_changed(p, "clipboard") &&
        !front_set_clipboard(p->front, options_page_ways(&o)))
        front_tell(p->front, "This session began without that way of the clipboard. \"Connect "
                             "again\" in the menu brings it.");
    if (options_page_changed(p, "scale"))
        front_set_scale(p->front, o.scale);
    if (options_page_changed(p, "quality"))
        front_tune(p->front, MENU_SET_QUALITY,
                   o.encodings.quality == LEVEL_AUTO ? MENU_AUTO : o.encodings.quality);
    if (options_page_changed(p, "reconnect"))
        connection_set_reconnect(p->connection, o.reconnect);
}

static void options_page_use(struct options_page *p, bool now)
{
    struct option_form form = p->form;
    struct ui_choice choice = p->choice, about;
    struct reason why;

    if (options_page_is_readdressed(p)) {
        options_page_show(p, "a profile has another server only when it is saved: press \"Save\"",
                          NULL, 0);
        return;
    }
    options_page_take_box(p, &form, &choice.view_only);
    about = choice;
    if (!p->source->use(p->source->user, options_page_about(p, &about), &form, &why)) {
        options_page_show(p, why.text, NULL, 0);
        return;
    }
    if (p->in_session)
        options_page_change_session(p);
    p->form = form;
    options_page_note(p);
    if (!p->in_session) {
        dialogs_start_again(p->dialogs, &choice);
        return;
    }
    p->pending = true;
    if (now)
        p->connect_again(p->user);
}

static void options_page_save(struct options_page *p)
{
    struct option_form form = p->form;
    struct ui_choice about = p->choice;
    char path[PATH_MAX], done[PATH_MAX + 80];
    struct reason why;
    bool replace = p->may_replace;

    p->may_replace = false;
    options_page_take_box(p, &form, &about.view_only);
    switch (p->source->save(p->source->user, options_page_about(p, &about), &form, p->name, replace,
                            path, &why)) {
    case PROFILE_SAVED:
        if (strcmp(p->name, p->profile) == 0)
            memcpy(p->server_before, p->server, sizeof p->server_before);
        snprintf(done, sizeof done, "Saved, without a password, as %s", path);
        sanitise(done);
        options_page_show(p, NULL, done, UI_FORM_BUTTON);
        break;
    case PROFILE_THERE:
        p->may_replace = true;
        snprintf(done, sizeof done, "%s. Replace it, or take another name", why.text);
        options_page_show(p, done, NULL, UI_FORM_NAME);
        break;
    case PROFILE_REFUSED:
        options_page_show(p, why.text, NULL, options_page_is_readdressed(p) ? 0 : UI_FORM_NAME);
        break;
    case PROFILE_FAILED:
        options_page_show(p, why.text, NULL, UI_FORM_NAME);
        break;
    }
}

/* What is typed in the form. */
static void options_page_take(struct options_page *p, const char *const *values, const char *name)
{
    if (p->first > 0)
        snprintf(p->server, sizeof p->server, "%s", values[0]);
    for (int i = 0; i < p->form.count; i++)
        snprintf(p->form.fields[p->order[i]].value, FORM_VALUE_MAX, "%s", values[p->first + i]);
    p->may_replace = p->may_replace && strcmp(p->name, name) == 0;
    snprintf(p->name, sizeof p->name, "%s", name);
}

static void options_page_answered(void *owner, enum ui_form_answer answer,
                                  const char *const *values, const char *name)
{
    struct options_page *p = owner;
    const struct form_field *wrong;
    struct reason why;

    if (answer == UI_FORM_CANCELLED) {
        if (!p->in_session)
            dialogs_start_again(p->dialogs, &p->choice);
        return;
    }
    options_page_take(p, values, name);
    if (answer == UI_FORM_INTERRUPTED) {
        p->interrupted = p->in_session;
        return;
    }
    wrong = option_form_wrong(&p->form, &why);
    if (wrong)
        options_page_show(p, why.text, NULL, options_page_place(p, wrong));
    else if (answer == UI_FORM_SAVED)
        options_page_save(p);
    else
        options_page_use(p, answer == UI_FORM_USED_NOW);
}

/* ---- it opens ---- */

/* What of a text a name begins with: letters, digits, and behind them some signs. */
static int options_page_name_length(const char *from, const char *signs)
{
    int length = 0;

    while (isalnum((unsigned char)from[length]) ||
           (length > 0 && from[length] && strchr(signs, from[length])))
        length++;
    return length;
}

/* A server that is this machine's for whoever leads to it is named by that machine: localhost:94 at
 * desk is desk-94. False: it has a name of its own. */
static bool options_page_suggest_gateway(struct options_page *p)
{
    const struct form_field *ssh = option_form_field(&p->form, "ssh"),
                            *via = option_form_field(&p->form, "via");
    const char *way = ssh && *ssh->value ? ssh->value : via ? via->value : "";
    const char *at = strrchr(way, '@'), *host = at ? at + 1 : way;
    struct address a = {.port = 0};
    struct reason never;
    size_t used;

    if (!*way || (*p->address && (!address_parse(&a, p->address, &never) || *a.path ||
                                  (*a.host && !address_is_localhost(a.host)))))
        return false;
    snprintf(p->name, sizeof p->name, "%.*s", options_page_name_length(host, "-_."), host);
    used = strlen(p->name);
    if (a.port && used > 0)
        snprintf(p->name + used, sizeof p->name - used, "-%d",
                 a.port_given ? a.port : a.port - ADDRESS_BASE_PORT);
    return used > 0;
}

/* A name for a connection without a profile: the host in its address, or the file without its
 * ending. */
static void options_page_suggest(struct options_page *p)
{
    const char *link = strstr(p->address, "://"), *slash = strrchr(p->address, '/');
    const char *from = link ? link + 3 : slash ? slash + 1 : p->address;
    const char *signs = slash && !link ? "-_" : "-_.";

    if (!options_page_suggest_gateway(p))
        snprintf(p->name, sizeof p->name, "%.*s", options_page_name_length(from, signs), from);
}

static void options_page_open(struct options_page *p, const struct ui_choice *choice)
{
    const char *profile;
    const char *address = p->source->fill(p->source->user, choice, &p->form, &profile);

    snprintf(p->address, sizeof p->address, "%s", address);
    snprintf(p->profile, sizeof p->profile, "%s", profile ? profile : "");
    p->may_replace = p->interrupted = false;
    if (profile)
        snprintf(p->name, sizeof p->name, "%s", profile);
    else
        options_page_suggest(p);
    options_page_sort(p);
}

/* The profile's server, where the field has room for all of it. */
static void options_page_take_server(struct options_page *p)
{
    if (strlen(p->address) >= sizeof p->server)
        return;
    strcpy(p->server, p->address);
    strcpy(p->server_before, p->address);
    p->first = 1;
}

void options_page_start(struct options_page *p, const struct ui_choice *choice)
{
    struct ui_choice about = *choice;
    struct form_field *f;

    p->in_session = false;
    p->first = 0;
    options_page_open(p, options_page_about(p, &about));
    p->choice = *choice;
    if (choice->profile) {
        options_page_take_server(p);
        snprintf(p->address, sizeof p->address, "%s", choice->address);
        p->choice.profile = p->profile;
    }
    p->choice.address = p->address;
    f = option_form_field(&p->form, "view-only");
    if (f && !choice->profile)
        strcpy(f->value, choice->view_only ? "on" : "off");
    options_page_show(p, NULL, NULL, 0);
}

/* Whether the clipboard's ways in the form are those that go now, as far as the session has them.
 */
static bool options_page_has_ways(const struct options_page *p, const struct menu_state *now)
{
    struct options o = {0};

    option_form_apply(&p->form, &o);
    return (options_page_ways(&o) & now->allowed) == now->clipboard;
}

/* What the menu has changed since the session began. It has nothing of "reconnect". */
static void options_page_look(struct options_page *p)
{
    struct menu_state now;
    struct options o = {0};

    front_menu_state(p->front, &now);
    o.view_only = now.view_only;
    o.send_clipboard = now.clipboard & CLIPBOARD_SEND;
    o.accept_clipboard = now.clipboard & CLIPBOARD_RECEIVE;
    o.scale = now.scale;
    o.encodings.quality = now.tuning.quality == TUNING_AUTO ? LEVEL_AUTO : (int)now.tuning.quality;
    for (size_t i = 0; i < sizeof at_once / sizeof *at_once; i++) {
        struct form_field *f = option_form_field(&p->form, at_once[i]);

        if (f && strcmp(at_once[i], "reconnect") != 0 &&
            (strcmp(at_once[i], "clipboard") != 0 || !options_page_has_ways(p, &now)))
            option_value_text(&o, f->option, f->value, FORM_VALUE_MAX);
    }
}

void options_page_session(struct options_page *p)
{
    p->in_session = true;
    p->first = 0;
    options_page_open(p, NULL);
    options_page_look(p);
    p->shown = p->form;
    options_page_show(p, NULL, NULL, 0);
}

void options_page_follow(struct options_page *p, enum connection_state state)
{
    if (state == CONNECTION_UP && p->interrupted) {
        p->interrupted = false;
        options_page_show(p, NULL, NULL, 0);
    } else if (state == CONNECTION_IDLE) {
        p->interrupted = false;
    }
}

bool options_page_renew(struct options_page *p, const struct session_options **session,
                        const struct app_options **ui)
{
    struct reason why;

    if (!p->pending)
        return false;
    connection_stop(p->connection);
    p->pending = !(*ui)->choose((*ui)->user, NULL, session, ui, &why);
    if (p->pending)
        front_tell(p->front, why.text);
    return !p->pending;
}

void options_page_tell(struct options_page *p)
{
    if (p->noted)
        return;
    p->form.count = 0;
    p->profile[0] = '\0';
    options_page_note(p);
}

void options_page_forget(struct options_page *p)
{
    p->source->forget(p->source->user);
    p->pending = false;
    p->noted = false;
}
