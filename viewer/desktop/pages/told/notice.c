#include "viewer/desktop/pages/told/notice.h"

#include <stdio.h>
#include <string.h>

#include "rfb/texts/reason.h"

const char *notice_cause(enum slow_cause cause)
{
    static const char *const texts[SLOW_CAUSES] = {
        [SLOW_NOT] = "",
        [SLOW_NETWORK] = "the network delivers pictures late",
        [SLOW_SERVER] = "the server answers late",
        [SLOW_MACHINE] = "this machine cannot decode and draw faster",
    };

    return texts[cause];
}

/* Whole seconds, rounded up: the last one counts down to 1. */
static long long seconds_up(tick_t t)
{
    return (long long)((t + TICK_S - 1) / TICK_S);
}

/* What there is to say while an attempt lasts. */
static void connecting_text(const struct connection_status *s, char out[NOTICE_MAX])
{
    const char *again = !s->again    ? ""
                        : s->listens ? "waiting for the server to connect again"
                                     : "connecting again";

    if (s->mute_for < NOTICE_MUTE)
        snprintf(out, NOTICE_MAX, "%s", again);
    else
        snprintf(
            out, NOTICE_MAX, "%s%s%s for %lld s; giving up in %lld s", again, *again ? ": " : "",
            s->accepted ? "the server is there, but has said nothing" : "no answer from the server",
            (long long)(s->mute_for / TICK_S), seconds_up(s->gives_up_in));
}

/* Why the connection was lost counts more than why the newest attempt has failed. */
static void waiting_text(const struct connection_status *s, char out[NOTICE_MAX])
{
    bool other = *s->lost.text && strcmp(s->lost.text, s->why.text) != 0;

    snprintf(out, NOTICE_MAX, "%s%s%s; connecting again in %lld s", other ? s->lost.text : "",
             other ? "; now: " : "", s->why.text, seconds_up(s->retry_in));
}

void notice_text(const struct connection_status *s, char out[NOTICE_MAX])
{
    char place[PLAY_WORDS_MAX];

    out[0] = '\0';
    if (s->plays && (s->play.seeking || (s->play.paused && !s->play_ended))) {
        play_words_place(&s->play, place);
        snprintf(out, NOTICE_MAX, s->play.seeking ? "moving to %s" : "paused at %s; Space goes on",
                 place);
        return;
    }
    switch (s->state) {
    case CONNECTION_IDLE:
    case CONNECTION_FAILED:
        break;
    case CONNECTION_CONNECTING:
        connecting_text(s, out);
        break;
    case CONNECTION_UP:
        if (s->silent)
            snprintf(out, NOTICE_MAX, "last heard from the server %lld s ago",
                     (long long)(s->heard_ago / TICK_S));
        else if (s->slow != SLOW_NOT)
            snprintf(out, NOTICE_MAX, "slow: %s", notice_cause(s->slow));
        break;
    case CONNECTION_WAITING:
        waiting_text(s, out);
        break;
    }
}

bool notice_is_news(const struct connection_status *s)
{
    return s->state == CONNECTION_UP && !s->silent && s->slow != SLOW_NOT;
}

void notice_title(const char *notice, const char *name, const char *program, char out[TITLE_MAX])
{
    char text[TITLE_MAX];
    int room = TITLE_MAX - (int)(strlen(" - ") + strlen(program)) - 1;

    snprintf(text, sizeof text, "%s%s%s", notice, *notice && *name ? " - " : "", name);
    snprintf(out, TITLE_MAX, "%.*s%s%s", room, text, *text ? " - " : "", program);
    sanitise(out); /* it may have been cut inside a character */
}

static void play_words_time(uint32_t ms, char *out, size_t size)
{
    const unsigned s = ms / 1000;

    if (s < 3600)
        snprintf(out, size, "%u:%02u", s / 60, s % 60);
    else
        snprintf(out, size, "%u:%02u:%02u", s / 3600, s / 60 % 60, s % 60);
}

void play_words_place(const struct play_state *s, char out[PLAY_WORDS_MAX])
{
    char length[PLAY_WORDS_MAX / 2];

    play_words_time(s->place, out, PLAY_WORDS_MAX / 2);
    if (s->length == 0)
        return;
    play_words_time(s->length, length, sizeof length);
    strcat(out, " of ");
    strcat(out, length);
}
