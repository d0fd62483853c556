#include "viewer/desktop/pages/told/told.h"

#include <stdio.h>
#include <string.h>

#include "rfb/system/clock.h"
#include "rfb/system/log.h"
#include "viewer/desktop/input/keyboard/hot_keys.h"

#define TOLD_PROGRAM "vnchl"

/* ns that the picture is scaled before this is said. Chosen: longer than a window changes its size,
 * or a far server takes to follow it. */
#define TOLD_SCALED_PATIENCE (2 * TICK_S)

void told_init(struct told *t, struct ui *ui, const struct told_answers *answers)
{
    *t = (struct told){.ui = ui, .answers = *answers};
}

void told_new_server(struct told *t, const char *server)
{
    char before[TITLE_MAX];

    memcpy(before, t->server, sizeof before);
    snprintf(t->server, sizeof t->server, "%s", server);
    if (strcmp(before, t->server) != 0) /* the desktop was another server's */
        *t->name = '\0';
    t->slow = (struct slow_news){.telling = SLOW_NOT};
    t->scaled = false;
}

void told_set_name(struct told *t, const char *name)
{
    snprintf(t->name, sizeof t->name, "%s", name);
}

void told_say(struct ui *ui, const char *text)
{
    log_line("%s", text);
    ui_message(ui, text, tick_now());
}

/* ---- the title ---- */

/* The desktop's name. Before that is known: the server, and how far it is. */
static void told_title_name(const struct told *t, char out[TITLE_MAX])
{
    static const char *const states[] = {
        [CONNECTION_CONNECTING] = ": connecting",
        [CONNECTION_UP] = "",
        [CONNECTION_WAITING] = ": connecting",
        [CONNECTION_FAILED] = ": not connected",
    };

    if (*t->name || t->state == CONNECTION_IDLE)
        snprintf(out, TITLE_MAX, "%.*s", TITLE_MAX - 1, t->name);
    else
        snprintf(out, TITLE_MAX, "%.200s%s", t->server, states[t->state]);
}

void told_title(const struct told *t, const struct told_facts *facts, char out[TITLE_MAX])
{
    char name[TITLE_MAX], program[220];

    snprintf(program, sizeof program, "%s%s%s%s%s%s%s" TOLD_PROGRAM, t->place,
             *t->place ? " - " : "", t->recording ? "recording - " : "",
             facts->view_only ? "view only - " : "", facts->grabbed ? "keyboard grabbed - " : "",
             facts->held ? "keys held down - " : "",
             facts->caught ? "Ctrl+Alt+G gives the pointer back - " : "");
    told_title_name(t, name);
    notice_title(t->notice, name, program, out);
}

/* ---- the bar ---- */

static void told_bar_answered(void *told, enum ui_answer answer)
{
    const struct told_answers *to = &((struct told *)told)->answers;

    if (answer == UI_ACCEPTED)
        to->retry(to->user);
    else
        to->give_up(to->user);
}

static void told_silence_answered(void *told, enum ui_answer answer)
{
    const struct told_answers *to = &((struct told *)told)->answers;

    if (answer == UI_ACCEPTED)
        to->connect_again(to->user);
    else
        to->disconnect(to->user);
}

/* The buttons of the bar. What is typed to a server that is silent may still arrive. */
static void told_choose_buttons(const struct connection_status *status, struct ui_bar *bar)
{
    if (status->silent) {
        bar->accept = "Connect again";
        bar->cancel = "Disconnect";
        bar->lets_input_pass = true;
        bar->answered = told_silence_answered;
    } else if (status->state != CONNECTION_UP && !status->play.seeking) {
        bar->accept = status->state == CONNECTION_WAITING ? "Try now" : NULL;
        bar->cancel = status->again ? "Stop" : NULL;
        bar->answered = told_bar_answered;
    }
}

static void told_show_notice(struct told *t, const struct connection_status *status, tick_t now)
{
    struct ui_bar bar = {.text = t->notice, .owner = t};
    bool is_news = notice_is_news(status);

    told_choose_buttons(status, &bar);
    ui_notice(t->ui, *bar.text && !is_news ? &bar : NULL, now);
    ui_message_while(t->ui, UI_SLOW, is_news ? bar.text : NULL, now);
}

/* True when it is another one. */
static bool told_note_place(struct told *t, const struct connection_status *s)
{
    char place[PLAY_WORDS_MAX] = "";

    if (s->plays && s->state == CONNECTION_UP && !s->play.paused && !s->play.seeking &&
        !s->play_ended)
        play_words_place(&s->play, place);
    if (strcmp(place, t->place) == 0)
        return false;
    strcpy(t->place, place);
    return true;
}

bool told_connection(struct told *t, const struct connection_status *status, tick_t now)
{
    struct connection_status told = *status;
    bool news = status->recording != t->recording || status->state != t->state;
    char text[NOTICE_MAX];

    news |= told_note_place(t, status);
    t->recording = status->recording;
    t->plays = status->plays;
    t->state = status->state;
    told.slow = slow_tell(&t->slow, status->slow);
    notice_text(&told, text);
    if (strcmp(text, t->notice) == 0)
        return news;
    strcpy(t->notice, text);
    told_show_notice(t, &told, now);
    return true;
}

/* ---- messages ---- */

void told_key(struct told *t, const struct told_facts *facts, const SDL_Event *e, tick_t now)
{
    SDL_Keycode key = e->key.keysym.sym;
    bool modifier = key >= SDLK_LCTRL && key <= SDLK_RGUI;

    if (!facts->view_only || !facts->live || t->plays || t->view_only || e->type != SDL_KEYDOWN ||
        modifier)
        return;
    t->view_only = true;
    ui_message_while(t->ui, UI_VIEW_ONLY, "View only: the server gets no keys and no clicks.", now);
}

void told_full_screen(const struct told_facts *f, char out[TOLD_FULL_SCREEN_MAX])
{
    const char *menu = hot_key_name(HOT_KEY_MENU);
    const bool two = strcmp(f->menu_key, menu) != 0;

    snprintf(out, TOLD_FULL_SCREEN_MAX,
             "%s%sFull screen: %s leaves it. %s%s%s opens the menu, and so does the bar that comes "
             "when the pointer rests at the upper edge.",
             f->shortage ? f->shortage : "", f->shortage ? " " : "",
             hot_key_name(HOT_KEY_FULL_SCREEN), f->menu_key, two ? " or " : "", two ? menu : "");
}

/* When it was entered. */
static void told_look_at_full_screen(struct told *t, const struct told_facts *f, tick_t now)
{
    bool full = f->live && f->full_screen;
    char text[TOLD_FULL_SCREEN_MAX];

    if (full == t->full_screen)
        return;
    t->full_screen = full;
    if (!full)
        return;
    told_full_screen(f, text);
    if (f->shortage)
        log_line("%s", f->shortage);
    ui_message_while(t->ui, UI_FULL_SCREEN, text, now);
}

static void told_look_at_scale(struct told *t, const struct told_facts *f, tick_t now)
{
    char text[160];

    if (!f->scaled)
        t->scaled_since = 0;
    else if (t->scaled_since == 0)
        t->scaled_since = now;
    if (t->scaled || !t->scaled_since || now - t->scaled_since < TOLD_SCALED_PATIENCE)
        return;
    t->scaled = true;
    snprintf(text, sizeof text,
             "The picture is shown at %.0f %% of its size. 1:1 is in the menu: %s.", 100 * f->scale,
             f->menu_key);
    ui_message_while(t->ui, UI_SCALED, text, now);
}

/* Whether what is said of this is true now. What is said of UI_SLOW ends with its cause. */
static bool told_is_true(const struct told *t, const struct told_facts *f, enum ui_topic topic)
{
    switch (topic) {
    case UI_FULL_SCREEN:
        return t->full_screen;
    case UI_VIEW_ONLY:
        return f->live && f->view_only;
    case UI_SCALED:
        return f->scaled;
    case UI_HINT:
        return f->live && !ui_is_menu(t->ui);
    default:
        return true;
    }
}

void told_look(struct told *t, const struct told_facts *f, tick_t now)
{
    told_look_at_full_screen(t, f, now);
    told_look_at_scale(t, f, now);
    for (enum ui_topic topic = UI_EVENT + 1; topic < UI_TOPICS; topic++)
        if (!told_is_true(t, f, topic))
            ui_message_while(t->ui, topic, NULL, now);
    t->view_only = t->view_only && told_is_true(t, f, UI_VIEW_ONLY);
}

void told_hint(struct told *t, const char *menu_key, tick_t now)
{
    char text[64];

    snprintf(text, sizeof text, "Press %s for the menu", menu_key);
    ui_message_while(t->ui, UI_HINT, text, now);
}
