/* What is chosen in the start window, read as if it had been typed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "viewer/options/files/option_files.h"
#include "viewer/options/files/setting.h"
#include "viewer/options/form/profile_file.h"
#include "viewer/options/way.h"

/* Beside what was typed: the profile, the way, three switches, "--" and the address. */
#define MORE_WORDS 7

/* Words are kept where the options keep their texts. */
struct words {
    char **argv;
    int argc;
    const char *address; /* the typed one; NULL: none was */
    struct options kept;
    bool failed;
};

static void options_add(struct words *w, const char *text)
{
    const char *word = option_keep(&w->kept, text);

    w->failed = w->failed || !word;
    w->argv[w->argc++] = (char *)word;
}

static void options_add_switch(struct words *w, const char *name, bool on, bool before)
{
    char word[32];

    snprintf(word, sizeof word, "--%s=%s", name, on ? "on" : "off");
    if (on != before)
        options_add(w, word);
}

/* A choice names a server: nobody waits for one any more. */
static bool is_left_way(const struct option_entry *e, bool own_way)
{
    return own_way ? setting_is_way(e->name) : strcmp(e->name, "listen") == 0;
}

/* The typed words but the address. A password file was typed for the server that stands beside
 * it: only there it is taken. `own_way`: nothing that was typed of a way is taken. */
static bool copy_words(struct words *w, int argc, char **argv, bool same_server, bool own_way)
{
    struct option_parser p = {.argc = argc, .argv = argv, .next = 1};
    const struct option_entry *e;
    enum option_word word;
    const char *value;
    struct reason never;

    w->argv = calloc((size_t)argc + MORE_WORDS, sizeof *w->argv);
    if (!w->argv)
        return false;
    w->argv[w->argc++] = argv[0];
    for (int from = 1; (word = option_parse(&p, &e, &value, &never)) != WORD_END; from = p.next) {
        bool secret = word == WORD_OPTION && strcmp(e->name, "passwd-file") == 0;
        bool left = word == WORD_OPTION && is_left_way(e, own_way);

        if (word != WORD_ADDRESS && !left && (!secret || same_server))
            while (from < p.next)
                w->argv[w->argc++] = argv[from++];
    }
    return option_servers(&w->kept, argc, argv, &w->address, &never);
}

bool options_has_way(const struct options_choice *c)
{
    return c->way || (c->profile && profile_names_server(c->profile, NULL));
}

const char *options_profile(const struct options *base, const struct options_choice *choice)
{
    return choice && choice->profile ? choice->profile : base->profile;
}

bool options_view_only_before(const struct options *base, const struct options_choice *c)
{
    bool other = base->profile && c->profile && strcmp(base->profile, c->profile) != 0;

    return base->view_only && !(other && c->view_only);
}

static bool add_choice(struct words *w, const struct options *base, const struct options_choice *c,
                       const char *address)
{
    char profile[300], way[WAY_TEXT_MAX + 2];

    if (c->profile) {
        snprintf(profile, sizeof profile, "--profile=%s", c->profile);
        options_add(w, profile);
    }
    if (c->way && *c->way) {
        snprintf(way, sizeof way, "--%s", c->way);
        options_add(w, way);
    }
    options_add_switch(w, "view-only", c->view_only, options_view_only_before(base, c));
    options_add_switch(w, "full-screen", c->full_screen, base->full_screen);
    options_add_switch(w, "shared", c->shared, base->shared);
    if (address && *address) {
        options_add(w, "--");
        options_add(w, address);
    }
    return !w->failed;
}

bool options_is_same_server(const struct options *base, const struct options_choice *c)
{
    char server[CANDIDATES_TEXT], way[WAY_TEXT_MAX];

    if (base->start || base->route.listen || c->profile || !c->address)
        return false;
    way_text(&base->route, way);
    if (c->way && strcmp(c->way, way) != 0)
        return false;
    if (base->candidates.count > 0)
        candidates_format(&base->candidates, server, sizeof server);
    else if (base->route.gateway.far_end && !*base->address.path && base->address.port == 0)
        *server = '\0'; /* the user's own server there */
    else
        address_format(&base->address, server, sizeof server);
    return strcmp(server, c->address) == 0;
}

static enum files_way files_way(const struct options_choice *c)
{
    if (c->way)
        return c->profile ? FILES_WAY_SERVER : FILES_WAY_NONE;
    return c->profile ? FILES_WAY_PROFILE : FILES_WAY_OUT;
}

/* What counts: the words but their address, then the choice. */
static bool make_words(struct words *w, const struct options *base, int argc, char **argv,
                       const struct options_choice *c, struct reason *why)
{
    bool same = options_is_same_server(base, c), ok; /* then its link or file counts, too */
    struct options plain = {0};                      /* what is said beside the server */
    struct route route;

    if (c->way && !way_parse(c->way, &route))
        return reason_set(why, "'%.80s' is no way to a server", c->way);
    if (!copy_words(w, argc, argv, same || base->start, options_has_way(c)))
        return reason_set(why, "out of memory");
    ok = same || options_parse_again(&plain, w->argc, w->argv, files_way(c), why) == OPTIONS_RUN;
    if (ok && !add_choice(w, same ? base : &plain, c, same && w->address ? w->address : c->address))
        ok = reason_set(why, "out of memory");
    options_deinit(&plain);
    return ok;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* What the program has taken already when its window is open. */
static bool check_program(const struct options *o, const struct options *base, const char *profile,
                          struct reason *why)
{
    const struct {
        bool same;
        const char *name;
    } parts[] = {
        {o->headless == base->headless, "headless"}, {same_text(o->log, base->log), "log"},
        {same_text(o->json, base->json), "json"},    {same_text(o->trace, base->trace), "trace"},
        {o->theme == base->theme, "theme"},          {o->vsync == base->vsync, "no-vsync"},
    };

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!parts[i].same)
            return reason_set(why,
                              "the profile '%s' asks for --%s, which only counts when vnchl "
                              "starts: run vnchl --profile %s",
                              profile ? profile : "", parts[i].name, profile ? profile : "");
    return true;
}

/* A password file that stands alone on the command line is for the server that the user types. It
 * was not put beside what a link, a file or the network names. */
static void part_from_link(struct options *o, const struct options *base)
{
    if (base->start && o->asked)
        o->typed.passwd_file = false;
}

/* Whether secrets of the command line count for it where the way is the same. */
static bool has_typed_secrets(const struct options *base, const struct options_choice *c)
{
    if (base->start) /* what is typed has them by any way, and so has a profile's server */
        return c && c->way && !c->profile && !c->nearby;
    return !c || options_is_same_server(base, c);
}

void options_part_from_other_way(struct options *o, const struct options *base,
                                 const struct options_choice *c)
{
    char before[WAY_TEXT_MAX], now[WAY_TEXT_MAX];

    way_text(&base->route, before);
    way_text(&o->route, now);
    if (!has_typed_secrets(base, c) || strcmp(before, now) == 0)
        return;
    if (o->typed.passwd_file)
        o->passwd_file = NULL;
    o->typed.passwd_file = false;
    o->has_password = false; /* of the connection file that named the server */
    explicit_bzero(o->password, sizeof o->password);
}

/* What was read. */
static bool check_choice(const struct options *o, const struct options *base, const char *profile,
                         enum choice_purpose purpose, struct reason *why)
{
    if (o->start && purpose == CHOICE_CONNECT)
        return reason_set(why,
                          "the profile '%s' names no server: type an address first, then choose "
                          "the profile",
                          profile ? profile : "");
    return purpose == CHOICE_SAVE || check_program(o, base, profile, why);
}

bool options_choose_for(struct options *o, const struct options *base, int argc, char **argv,
                        const struct options_choice *c, enum choice_purpose purpose,
                        struct reason *why)
{
    struct words w = {0};
    bool ok = false;

    *o = (struct options){0};
    if (make_words(&w, base, argc, argv, c, why) &&
        options_parse_again(o, w.argc, w.argv, files_way(c), why) == OPTIONS_RUN)
        ok = check_choice(o, base, c->profile, purpose, why);
    o->asked = o->asked || c->nearby;
    part_from_link(o, base);
    options_part_from_other_way(o, base, c);
    free(w.argv);
    option_keep_all(o, &w.kept);
    return ok;
}

bool options_choose(struct options *o, const struct options *base, int argc, char **argv,
                    const struct options_choice *c, struct reason *why)
{
    return options_choose_for(o, base, argc, argv, c, CHOICE_CONNECT, why);
}

bool options_alert(int argc, char **argv)
{
    struct option_parser p = {.argc = argc, .argv = argv, .next = 1};
    struct options o = {.alert = true};
    const struct option_entry *e;
    enum option_word word;
    const char *value;
    struct reason why;

    option_read_defaults(&o, &why);
    while ((word = option_parse(&p, &e, &value, &why)) != WORD_END)
        if (word == WORD_OPTION)
            option_apply(&o, e, value, &why);
    options_deinit(&o);
    return o.alert && !o.headless;
}
