#include "viewer/desktop/pages/menu/menu.h"

#include <stdio.h>
#include <string.h>

#include "prerequest/event.h"
#include "rfb/session/session.h"

struct list {
    struct menu_entry *out;
    int count;
    bool begins; /* the next entry begins a group */
};

static struct menu_entry *menu_add(struct list *l, enum menu_action action, int value, char letter,
                                   const char *label)
{
    struct menu_entry *e = &l->out[l->count++];

    *e = (struct menu_entry){
        .action = action, .value = value, .letter = letter, .usable = true, .begins = l->begins};
    snprintf(e->label, sizeof e->label, "%s", label);
    l->begins = false;
    return e;
}

/* An entry that is on or off. */
static void menu_add_switch(struct list *l, enum menu_action action, char letter, const char *label,
                            const char *key, bool on, bool usable)
{
    struct menu_entry *e = menu_add(l, action, 0, letter, label);

    e->key = key;
    e->on = on;
    e->usable = usable;
}

/* An entry that does something once. */
static void add_deed(struct list *l, enum menu_action action, char letter, const char *label,
                     const char *key, bool usable)
{
    menu_add_switch(l, action, letter, label, key, false, usable);
}

static void menu_group(struct list *l)
{
    l->begins = l->count > 0;
}

/* An entry that leads to another page. */
static struct menu_entry *add_page(struct list *l, enum menu_page page, char letter,
                                   const char *label, bool usable)
{
    struct menu_entry *e = menu_add(l, MENU_OPEN, page, letter, label);

    e->usable = usable;
    return e;
}

/* There is a server that can be asked for something: a recording is none. */
static bool menu_asks(const struct menu_state *s)
{
    return s->live && !s->plays;
}

/* It gets keys. */
static bool menu_has_keys(const struct menu_state *s)
{
    return menu_asks(s) && !s->view_only;
}

/* Of these ways of the clipboard, those that a text can go now: view only and a recording get none.
 */
static unsigned menu_open_ways(const struct menu_state *s, unsigned ways)
{
    return s->view_only || s->plays ? ways & ~(unsigned)CLIPBOARD_SEND : ways;
}

/* ---- pages ---- */

static const struct scale_choice {
    struct scale scale;
    char letter;
    const char *label, *now;
} scales[] = {
    {{SCALE_AUTO, 1}, 'a', "Automatic", "automatic"},
    {{SCALE_SYSTEM, 1}, 'o', "As other programs on this display", "as other programs"},
    {{SCALE_FIT, 1}, 'f', "Fit into the window", "fits"},
    {{SCALE_INTEGER, 1}, 'w', "Fit in whole steps", "whole steps"},
    {{SCALE_RATIO, 1}, '1', "1:1, the server's own pixels", "1:1"},
    {{SCALE_RATIO, 0.5}, 'h', "Half as large", "50%"},
    {{SCALE_RATIO, 2}, 't', "Twice as large", "200%"},
};

static bool same_scale(const struct scale *a, const struct scale *b)
{
    return a->kind == b->kind && (a->kind != SCALE_RATIO || a->ratio == b->ratio);
}

static void show_scale(struct menu_entry *e, const struct menu_state *s)
{
    snprintf(e->now, sizeof e->now, "%.0f%%", 100 * s->scale.ratio);
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++)
        if (same_scale(&scales[i].scale, &s->scale))
            snprintf(e->now, sizeof e->now, "%s", scales[i].now);
}

/* On an ordinary display it is the same as automatic. */
static bool is_of_use(const struct scale_choice *c, const struct menu_state *s)
{
    return c->scale.kind != SCALE_SYSTEM || s->system_scale > 1 || s->scale.kind == SCALE_SYSTEM;
}

static void scale_page(struct list *l, const struct menu_state *s)
{
    for (int i = 0; i < (int)(sizeof scales / sizeof *scales); i++) {
        struct menu_entry *e;

        if (!is_of_use(&scales[i], s))
            continue;
        e = menu_add(l, MENU_SET_SCALE, i, scales[i].letter, scales[i].label);
        e->on = same_scale(&scales[i].scale, &s->scale);
        if (scales[i].scale.kind == SCALE_AUTO)
            strcpy(e->now, s->follows ? "the server's screen follows" : "fits");
        if (scales[i].scale.kind == SCALE_SYSTEM)
            snprintf(e->now, sizeof e->now, "%.0f%%", 100 * s->system_scale);
    }
}

struct scale menu_scale(int value)
{
    return scales[value].scale;
}

static void show_quality(struct menu_entry *e, const struct menu_state *s)
{
    if (s->tuning.quality != TUNING_AUTO)
        snprintf(e->now, sizeof e->now, "%u", s->tuning.quality);
    else if (s->live && s->film_now)
        strcpy(e->now, "automatic, now a film (H.264)");
    else if (s->live && s->jpeg_now > 0)
        snprintf(e->now, sizeof e->now, "automatic, now JPEG %d of 100", s->jpeg_now);
    else if (s->live && s->quality_now >= 0)
        snprintf(e->now, sizeof e->now, "automatic, now %d", s->quality_now);
    else
        strcpy(e->now, "automatic");
}

static void show_prp(struct menu_entry *e, const struct menu_state *s)
{
    if (prp_is_fixed(s->tuning.policy))
        snprintf(e->now, sizeof e->now, "%g ms", s->tuning.prp_us / 1e3);
    else if (s->tuning.policy == PRP_OFF)
        strcpy(e->now, "off");
    else if (s->prp_now > 0)
        snprintf(e->now, sizeof e->now, "automatic, now %.0f ms", s->prp_now);
    else
        strcpy(e->now, "automatic");
}

static void show_clipboard(struct menu_entry *e, const struct menu_state *s)
{
    const unsigned ways = menu_open_ways(s, s->clipboard);
    const bool send = ways & CLIPBOARD_SEND, receive = ways & CLIPBOARD_RECEIVE;

    strcpy(e->now, send && receive ? "both ways"
                   : send          ? "to the server"
                   : receive       ? "from the server"
                                   : "off");
}

static void add_sound(struct list *l, const struct menu_state *s)
{
    struct menu_entry *e =
        menu_add(l, MENU_SOUND, s->sound != SOUND_ON, 'y', "Play the server's sound");

    e->on = s->sound == SOUND_ON;
    e->usable = menu_asks(s);
    if (s->sound == SOUND_SLOW)
        strcpy(e->now, "off: the connection may be too slow");
}

static void main_page(struct list *l, const struct menu_state *s)
{
    const bool input = menu_has_keys(s), asks = menu_asks(s);
    struct menu_entry *quality, *period;
    char label[48];

    if (s->plays)
        add_page(l, MENU_PLAY, 'g', "Recording...", true);
    menu_group(l);
    menu_add_switch(l, MENU_FULL_SCREEN, 'f', "Full screen", "Ctrl+Alt+Enter", s->full_screen,
                    true);
    if (s->several_monitors)
        menu_add_switch(l, MENU_ALL_MONITORS, 'u', "Full screen on all monitors", NULL,
                        s->all_monitors, true);
    show_scale(add_page(l, MENU_SCALE, 'z', "Size of the picture...", true), s);
    menu_add_switch(l, MENU_VIEW_ONLY, 'v', "View only: send no keys, no pointer", NULL,
                    s->view_only, !s->plays);
    menu_add_switch(l, MENU_GRAB, 'k', "All keys to the server", "Ctrl+Alt+G", s->grabbed,
                    !s->view_only && !s->plays);
    menu_group(l);
    add_deed(l, MENU_CTRL_ALT_DEL, 'd', "Send Ctrl+Alt+Del", NULL, input);
    if (s->menu_key) {
        snprintf(label, sizeof label, "Send %s", s->menu_key);
        add_deed(l, MENU_SEND_KEY, 'e', label, s->menu_key, input);
    }
    add_page(l, MENU_KEYS, 'h', "Hold Ctrl, Alt, Shift, Super...", input);
    menu_group(l);
    show_clipboard(add_page(l, MENU_CLIPBOARD, 'b', "Clipboard...", menu_open_ways(s, s->allowed)),
                   s);
    add_deed(l, MENU_TYPE, 'l', "Type the clipboard as keys", NULL, input);
    menu_group(l);
    if (s->sound != SOUND_NONE)
        add_sound(l, s);
    quality = add_page(l, MENU_QUALITY, 'q', "Picture quality...", asks);
    add_deed(l, MENU_REFRESH, 'r', "Send the whole picture again", NULL, asks);
    menu_group(l);
    add_deed(l, MENU_SCREENSHOT, 's', "Save a picture as PNG", "Ctrl+Alt+P", s->live);
    menu_add_switch(l, MENU_STATISTICS, 't', "Statistics", "Ctrl+Alt+S", s->statistics, true);
    add_deed(l, MENU_ABOUT, 'a', "About this connection", NULL, s->live);
    add_deed(l, MENU_OPTIONS, 'o', "Options...", NULL, true);
    menu_group(l);
    period = add_page(l, MENU_PRP, 'p', "Request period (PRP)...", asks);
    period->heading = "For experts";
    if (!s->plays) {
        show_quality(quality, s);
        show_prp(period, s);
    }
    menu_group(l);
    add_deed(l, MENU_MINIMISE, 'm', "Minimise", NULL, true);
    add_deed(l, MENU_NEW, 'w', "New connection", NULL, true);
    add_deed(l, MENU_RECONNECT, 'n', "Connect again", NULL, true);
    add_deed(l, MENU_DISCONNECT, 'i', "Disconnect", NULL, true);
    add_deed(l, MENU_QUIT, 'c', "Close vnchl", NULL, true);
}

static void add_move(struct list *l, int seconds, char letter, const char *label, const char *key,
                     bool usable)
{
    struct menu_entry *e = menu_add(l, MENU_MOVE, seconds, letter, label);

    e->key = key;
    e->usable = usable;
}

static void play_page(struct list *l, const struct menu_state *s)
{
    if (s->ended)
        add_deed(l, MENU_PAUSE, 'p', "Play again", "Space", true);
    else
        menu_add_switch(l, MENU_PAUSE, 'p', "Pause", "Space", s->paused, true);
    add_move(l, -10, 'b', "10 seconds back", "Left", true);
    add_move(l, 10, 'o', "10 seconds forward", "Right", !s->ended);
    add_move(l, -60, 'm', "A minute back", "Shift+Left", true);
    add_move(l, 60, 'a', "A minute forward", "Shift+Right", !s->ended);
    add_deed(l, MENU_AGAIN, 'f', "From the beginning", "Home", true);
}

static void keys_page(struct list *l, const struct menu_state *s)
{
    static const char *const names[MODIFIERS] = {"Ctrl", "Alt", "Shift", "Super (Windows)"};
    static const char letters[MODIFIERS] = {'c', 'a', 's', 'w'};
    char label[48];

    for (int m = 0; m < MODIFIERS; m++) {
        snprintf(label, sizeof label, "Hold %s down", names[m]);
        struct menu_entry *e = menu_add(l, MENU_HOLD, m, letters[m], label);
        e->on = s->held >> m & 1;
        e->usable = menu_has_keys(s);
    }
}

static void clipboard_page(struct list *l, const struct menu_state *s)
{
    const unsigned ways = menu_open_ways(s, s->clipboard), allowed = menu_open_ways(s, s->allowed);

    menu_add_switch(l, MENU_COPY, 's', "Send what is copied here", NULL, ways & CLIPBOARD_SEND,
                    allowed & CLIPBOARD_SEND);
    menu_add_switch(l, MENU_COPY, 't', "Take what is copied at the server", NULL,
                    ways & CLIPBOARD_RECEIVE, allowed & CLIPBOARD_RECEIVE);
    l->out[0].value = CLIPBOARD_SEND;
    l->out[1].value = CLIPBOARD_RECEIVE;
    if (s->view_only)
        strcpy(l->out[0].now, "not with view only");
}

static void quality_page(struct list *l, const struct menu_state *s)
{
    menu_add(l, MENU_SET_QUALITY, MENU_AUTO, 'a', "Automatic: follows the connection")->on =
        s->tuning.quality == TUNING_AUTO;
    for (int level = 9; level >= 0; level--) {
        char label[48];

        snprintf(label, sizeof label, "%d%s", level,
                 level == 9   ? ", the best picture"
                 : level == 0 ? ", the fewest bytes"
                              : "");
        menu_add(l, MENU_SET_QUALITY, level, (char)('0' + level), label)->on =
            s->tuning.quality == (uint32_t)level;
    }
}

static void prp_page(struct list *l, const struct menu_state *s)
{
    static const struct {
        int ms;
        char letter;
        const char *label;
    } periods[] = {
        {10, '1', "Ask every 10 ms"},
        {20, '2', "Ask every 20 ms"},
        {30, '3', "Ask every 30 ms"},
        {40, '4', "Ask every 40 ms"},
        {50, '5', "Ask every 50 ms"},
        {100, 't', "Ask every tenth of a second"},
        {200, 'f', "Ask every fifth of a second"},
        {500, 'h', "Ask every half a second"},
    };

    menu_add(l, MENU_SET_PRP, MENU_AUTO, 'a', "Automatic: follows the connection")->on =
        s->tuning.policy == PRP_AUTO;
    menu_add_switch(l, MENU_SET_PRP, 'o', "Off: ask when a picture has come", NULL,
                    s->tuning.policy == PRP_OFF, !s->limited);
    for (int i = 0; i < (int)(sizeof periods / sizeof *periods); i++) {
        int ms = periods[i].ms;
        struct menu_entry *e = menu_add(l, MENU_SET_PRP, ms, periods[i].letter, periods[i].label);

        e->on = s->tuning.policy == PRP_FIXED && s->tuning.prp_us == (uint32_t)ms * 1000;
        e->usable = !s->limited;
    }
}

int menu_entries(enum menu_page page, const struct menu_state *state,
                 struct menu_entry out[MENU_ENTRIES_MAX])
{
    struct list l = {out, 0, false};

    switch (page) {
    case MENU_MAIN:
        main_page(&l, state);
        break;
    case MENU_PLAY:
        play_page(&l, state);
        break;
    case MENU_SCALE:
        scale_page(&l, state);
        break;
    case MENU_KEYS:
        keys_page(&l, state);
        break;
    case MENU_CLIPBOARD:
        clipboard_page(&l, state);
        break;
    case MENU_QUALITY:
        quality_page(&l, state);
        break;
    case MENU_PRP:
        prp_page(&l, state);
        break;
    }
    return l.count;
}

const char *menu_title(enum menu_page page)
{
    static const char *const titles[] = {
        [MENU_MAIN] = "Menu",
        [MENU_PLAY] = "Recording",
        [MENU_SCALE] = "Size of the picture",
        [MENU_KEYS] = "Hold keys down on the server",
        [MENU_CLIPBOARD] = "Clipboard",
        [MENU_QUALITY] = "Picture quality",
        [MENU_PRP] = "Request period (PRP)",
    };

    return titles[page];
}

struct session_tuning menu_tuned(struct session_tuning t, enum menu_action action, int value)
{
    if (action == MENU_SET_QUALITY) {
        t.quality = value == MENU_AUTO ? TUNING_AUTO : (uint32_t)value;
    } else {
        t.policy = value == MENU_AUTO ? PRP_AUTO : value == 0 ? PRP_OFF : PRP_FIXED;
        t.prp_us = value > 0 ? (uint32_t)value * 1000 : 0;
    }
    return t;
}
