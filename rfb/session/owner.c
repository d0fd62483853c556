/* The owner's functions of a session, wherever that runs: they make commands, and hand them over.
 */
#include <stdlib.h>
#include <string.h>

#include "rfb/session/session.h"
#include "rfb/texts/utf8.h"

/* ---- input ---- */

void session_stop(struct session *s)
{
    session_send(s, &(struct session_command){.type = COMMAND_STOP});
}

void session_send_key(struct session *s, uint32_t keysym, bool down)
{
    session_send_key_code(s, keysym, 0, down);
}

void session_send_key_code(struct session *s, uint32_t keysym, uint8_t code, bool down)
{
    session_send(s, &(struct session_command){
                        .type = COMMAND_KEY, .keysym = keysym, .down = down, .code = code});
}

static int owner_clamp16(int n)
{
    return n < 0 ? 0 : n > UINT16_MAX ? UINT16_MAX : n;
}

void session_send_pointer(struct session *s, int x, int y, unsigned buttons)
{
    session_send(s, &(struct session_command){.type = COMMAND_POINTER,
                                              .x = owner_clamp16(x),
                                              .y = owner_clamp16(y),
                                              .buttons = buttons & ((1u << SESSION_BUTTONS) - 1)});
}

static int clamp_step(int n)
{
    return n < -SESSION_STEP_MAX ? -SESSION_STEP_MAX : n > SESSION_STEP_MAX ? SESSION_STEP_MAX : n;
}

void session_send_step(struct session *s, int dx, int dy, unsigned buttons)
{
    session_send(s, &(struct session_command){.type = COMMAND_STEP,
                                              .x = clamp_step(dx),
                                              .y = clamp_step(dy),
                                              .buttons = buttons & ((1u << SESSION_BUTTONS) - 1)});
}

void session_send_cut_text(struct session *s, const char *utf8)
{
    const struct session_command head = {.type = COMMAND_CUT_TEXT};
    size_t size = strlen(utf8) + 1;
    struct session_command *c;
    char *text;

    if (size > SESSION_COPIED_MAX || !(c = session_command_create(&head, utf8, size)))
        return;
    text = (char *)(c + 1);
    utf8_repair(text);
    c->size = (uint32_t)strlen(text) + 1;
    session_send(s, c);
    free(c);
}

/* ---- wishes ---- */

void session_tune(struct session *s, const struct session_tuning *t)
{
    const struct session_command head = {.type = COMMAND_TUNE};
    struct session_command *c = session_command_create(&head, t, sizeof *t);

    if (c)
        session_send(s, c);
    free(c);
}

void session_play(struct session *s, const struct play_wish *wish)
{
    const struct session_command head = {.type = COMMAND_PLAY};
    const struct session_playing playing = {wish->paused, wish->seeks, wish->place};
    struct session_command *c = session_command_create(&head, &playing, sizeof playing);

    if (c)
        session_send(s, c);
    free(c);
}

void session_ask_all(struct session *s)
{
    session_send(s, &(struct session_command){.type = COMMAND_ASK_ALL});
}

void session_hide(struct session *s, bool on)
{
    session_send(s, &(struct session_command){.type = COMMAND_HIDE, .down = on});
}

void session_watch(struct session *s, bool on)
{
    session_send(s, &(struct session_command){.type = COMMAND_WATCH, .down = on});
}

void session_want_sound(struct session *s, bool on)
{
    session_send(s, &(struct session_command){.type = COMMAND_SOUND, .down = on});
}

void session_resize(struct session *s, int width, int height)
{
    session_send(s, &(struct session_command){.type = COMMAND_RESIZE, .x = width, .y = height});
}

/* ---- answers ---- */

/* A flat command: the head, and the answer behind it as its bulk. */
struct answer_command {
    struct session_command head;
    struct session_answer answer;
};

/* Sends the answer, then overwrites this copy of its secrets. */
static void send_answer(struct session *s, struct answer_command *c)
{
    c->head.type = COMMAND_ANSWER;
    c->head.size = sizeof c->answer;
    session_send(s, &c->head);
    explicit_bzero(c, sizeof *c);
}

void session_refuse(struct session *s, uint32_t question, const char *reason)
{
    struct answer_command c = {.answer = {.question = question, .verdict = ANSWER_REFUSED}};
    struct reason why;

    reason_set(&why, "%s", reason ? reason : "");
    memcpy(c.answer.reason, why.text, strlen(why.text));
    send_answer(s, &c);
}

void session_answer_credentials(struct session *s, uint32_t question, const char *user,
                                const char *password)
{
    struct answer_command c = {.answer = {.question = question, .verdict = ANSWER_CREDENTIALS}};
    size_t user_length = user ? strlen(user) : 0, length = strlen(password);
    struct reason why;

    if (user_length >= sizeof c.answer.user || length >= sizeof c.answer.password) {
        reason_set(&why, "the %s is longer than %d bytes",
                   length >= sizeof c.answer.password ? "password" : "user name",
                   SESSION_SECRET_MAX - 1);
        session_refuse(s, question, why.text);
        return;
    }
    memcpy(c.answer.user, user ? user : "", user_length);
    memcpy(c.answer.password, password, length);
    send_answer(s, &c);
}

void session_answer_trust(struct session *s, uint32_t question, bool trusted)
{
    struct answer_command c = {
        .answer = {.question = question, .verdict = trusted ? ANSWER_TRUSTED : ANSWER_REFUSED}};

    send_answer(s, &c);
}
