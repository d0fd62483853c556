/* Questions of the receiver to the session's owner, and the owner's answers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rfb/clock.h"
#include "rfb/session/session_state.h"

/* ---- the receiver asks ---- */

void session_name_server(const struct address *address, const struct route *route,
                         struct session_question *q)
{
    const struct gateway *gateway = &route->gateway;
    char repeater[SESSION_HOST_MAX + 16] = "", port[8] = "", via[SESSION_HOST_MAX + 8] = "";

    memset(q->host, 0, sizeof q->host);
    memset(q->gateway, 0, sizeof q->gateway);
    snprintf(q->host, sizeof q->host, "%s", *address->path ? address->path : address->host);
    sanitise(q->host);
    q->port = *address->path ? 0 : address->port;
    q->way = WAY_STRAIGHT;
    if (gateway->port)
        snprintf(port, sizeof port, ":%u", (unsigned)gateway->port);
    if (*gateway->host) {
        q->way = *gateway->command ? WAY_COMMAND : WAY_SSH;
        snprintf(via, sizeof via, "%.*s%s", SESSION_HOST_MAX - 8, gateway->host, port);
    }
    if (*route->repeater.host || *route->repeater.path) {
        q->way = WAY_REPEATER;
        address_format(&route->repeater, repeater, sizeof repeater);
    }
    snprintf(q->gateway, sizeof q->gateway, "%.*s%s%s", SESSION_HOST_MAX - 8, repeater,
             *repeater && *via ? ",via=" : "", via);
    sanitise(q->gateway);
}

/* Numbers the question, says which server asks, adds it as an event, and waits for the answer. Then
 * s->answer belongs to the receiver until forget_answer(). The handshake's deadline is put off by
 * as long as this took. False with a reason: the session is to end. */
static bool ask(struct session *s, struct session_question *question, struct reason *why)
{
    const struct session_event head = {.type = SESSION_QUESTION};
    tick_t start = tick_now();
    struct session_event *event;
    bool answered;

    question->number = ++s->questions;
    session_name_server(&s->options.address, &s->options.route, question);
    event = session_event_create(&head, question, sizeof *question);
    if (!event)
        return reason_set(why, "out of memory");
    pthread_mutex_lock(&s->lock);
    s->question = *question;
    s->prompting_since = start;
    pthread_mutex_unlock(&s->lock);
    events_add(s->events, event);
    pthread_mutex_lock(&s->lock);
    while (!s->answer.question && !s->stopping)
        pthread_cond_wait(&s->answered, &s->lock);
    answered = s->answer.question;
    s->question.number = 0;
    s->deadline += tick_now() - start;
    if (s->early_until != TICK_NEVER)
        s->early_until += tick_now() - start;
    s->prompting_since = TICK_NEVER;
    pthread_mutex_unlock(&s->lock);
    return answered || reason_set(why, "stopped");
}

static void forget_answer(struct session *s)
{
    pthread_mutex_lock(&s->lock);
    explicit_bzero(&s->answer, sizeof s->answer);
    pthread_mutex_unlock(&s->lock);
}

/* Whether the answer is no refusal. If it is one that gives a reason, `why` becomes that reason. */
static bool agreed(const struct session *s, struct reason *why)
{
    if (s->answer.verdict != ANSWER_REFUSED)
        return true;
    return *s->answer.reason ? reason_set(why, "%s", s->answer.reason) : false;
}

bool session_ask_credentials(void *user, bool want_user, enum security_channel channel, char **name,
                             char **password, struct reason *why)
{
    struct session_question question = {
        .kind = want_user ? QUESTION_USER_PASSWORD : QUESTION_PASSWORD, .channel = channel};
    struct session *s = user;
    bool ok;

    if (!ask(s, &question, why))
        return false;
    reason_set(why, "no password given");
    ok = agreed(s, why);
    if (ok) {
        if (want_user)
            *name = strdup(s->answer.user);
        *password = strdup(s->answer.password);
        ok = (*password && (!want_user || *name)) || reason_set(why, "out of memory");
    }
    forget_answer(s);
    return ok;
}

bool session_ask_trust(void *user, const struct key_doubt *doubt, struct reason *why)
{
    struct session_question question = {
        .kind = QUESTION_TRUST, .channel = CHANNEL_CERTIFICATE, .acceptable = doubt->acceptable};
    struct session *s = user;
    bool ok;

    memcpy(question.sha256, doubt->sha256, sizeof question.sha256);
    snprintf(question.faults, sizeof question.faults, "%s", doubt->faults.text);
    snprintf(question.subject, sizeof question.subject, "%s", doubt->facts.subject);
    snprintf(question.expires, sizeof question.expires, "%s", doubt->facts.expires);
    ok = ask(s, &question, why) && agreed(s, why);
    forget_answer(s);
    return ok;
}

/* ---- the owner answers ---- */

/* Whether an answer has the number of the open question, and is of its kind. */
static bool fits(const struct session_question *q, const struct session_answer *a)
{
    return q->number != 0 && q->number == a->question &&
           (a->verdict == ANSWER_REFUSED ||
            (a->verdict == ANSWER_TRUSTED) == (q->kind == QUESTION_TRUST));
}

void session_take_answer(struct session *s, const struct session_answer *answer)
{
    pthread_mutex_lock(&s->lock);
    if (fits(&s->question, answer) && !s->answer.question) {
        s->answer = *answer;
        pthread_cond_broadcast(&s->answered);
    }
    pthread_mutex_unlock(&s->lock);
}
