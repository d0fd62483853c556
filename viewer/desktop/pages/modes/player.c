#include "viewer/desktop/pages/modes/player.h"

#include "rfb/system/clock.h"
#include "viewer/desktop/pages/told/notice.h"

#define PLAYER_MODIFIERS (KMOD_CTRL | KMOD_ALT | KMOD_GUI)

static struct connection_status player_status(const struct player *p)
{
    struct connection_status status;

    connection_status(p->connection, tick_now(), &status);
    return status;
}

static bool player_has_hold(const struct connection_status *s)
{
    return s->plays && (s->state == CONNECTION_UP || s->play.seeking);
}

bool player_plays(const struct player *p)
{
    const struct connection_status s = player_status(p);

    return player_has_hold(&s);
}

bool player_is_paused(const struct player *p)
{
    return player_status(p).play.paused;
}

bool player_has_ended(const struct player *p)
{
    return player_status(p).play_ended;
}

static void player_say(struct player *p, struct play_state to)
{
    char text[PLAY_WORDS_MAX];

    play_words_place(&to, text);
    p->ended = false; /* what is said of that is replaced */
    ui_message_while(p->ui, UI_PLAYING, text, tick_now());
}

void player_toggle(struct player *p)
{
    const struct connection_status s = player_status(p);
    const struct play_wish wish = {.paused = !s.play.paused};

    if (!player_has_hold(&s))
        return;
    if (s.play_ended)
        player_again(p);
    else
        connection_play(p->connection, &wish);
    ui_message_while(p->ui, UI_PLAYING, NULL, tick_now());
}

void player_move(struct player *p, int by)
{
    const struct connection_status s = player_status(p);
    int64_t to = s.play.place + by * INT64_C(1000),
            most = s.play.length ? s.play.length : UINT32_MAX;

    if (!player_has_hold(&s) || (s.play_ended && by > 0))
        return;
    to = to < 0 ? 0 : to > most ? most : to;
    connection_play(p->connection, &(struct play_wish){s.play.paused, true, (uint32_t)to});
    player_say(p, (struct play_state){.place = (uint32_t)to, .length = s.play.length});
}

void player_again(struct player *p)
{
    const struct connection_status s = player_status(p);

    if (!player_has_hold(&s))
        return;
    connection_play(p->connection, &(struct play_wish){.seeks = true});
    ui_message_while(p->ui, UI_PLAYING, NULL, tick_now());
}

static bool player_key(struct player *p, const SDL_KeyboardEvent *e)
{
    const int step = e->keysym.mod & KMOD_SHIFT ? PLAYER_LONG_STEP : PLAYER_STEP;

    switch (e->keysym.sym) {
    case SDLK_SPACE:
        if (!e->repeat)
            player_toggle(p);
        return true;
    case SDLK_LEFT:
        player_move(p, -step);
        return true;
    case SDLK_RIGHT:
        player_move(p, step);
        return true;
    case SDLK_HOME:
        if (!e->repeat)
            player_again(p);
        return true;
    default:
        return false;
    }
}

bool player_on_input(void *player, const SDL_Event *e)
{
    struct player *p = player;

    return e->type == SDL_KEYDOWN && !(e->key.keysym.mod & PLAYER_MODIFIERS) && player_plays(p) &&
           player_key(p, &e->key);
}

/* As long as the last picture stays. */
static void player_look_at_end(struct player *p, const struct connection_status *s)
{
    struct reason text;

    if (s->play_ended == p->ended)
        return;
    p->ended = s->play_ended;
    reason_set(&text, "%s. Space plays it again", s->why.text);
    ui_message_while(p->ui, UI_PLAYING, p->ended ? text.text : NULL, tick_now());
}

void player_look(struct player *p)
{
    const struct connection_status s = player_status(p);

    if (!s.plays) {
        p->told = false;
    } else if (!p->told && s.state == CONNECTION_UP) {
        p->told = true;
        ui_message_while(p->ui, UI_PLAYING,
                         "Space pauses. Left and Right move by 10 seconds, with Shift by a minute.",
                         tick_now());
    }
    player_look_at_end(p, &s);
}
