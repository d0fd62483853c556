#include "rfb/session/connection/questions.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rfb/system/clock.h"

struct questions {
    const struct session_options *options;
    struct events *events;
    struct life *life;
    uint32_t asked; /* receiver; how many so far */

    pthread_mutex_t lock;         /* everything below */
    struct session_question open; /* number 0: none is */
    struct session_answer answer; /* to it; question 0: none yet */
    bool stopped;
    pthread_cond_t answered; /* signalled by an answer, and by the end */
};

struct questions *questions_create(const struct session_options *options, struct events *events,
                                   struct life *life)
{
    struct questions *q = calloc(1, sizeof *q);

    if (!q)
        return NULL;
    q->options = options;
    q->events = events;
    q->life = life;
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->answered, NULL);
    return q;
}

void questions_destroy(struct questions *q)
{
    if (!q)
        return;
    explicit_bzero(&q->answer, sizeof q->answer);
    pthread_cond_destroy(&q->answered);
    pthread_mutex_destroy(&q->lock);
    free(q);
}

/* ---- the receiver asks ---- */

/* Numbers the question, says which server asks, adds it as an event, and waits for the answer. Then
 * q->answer belongs to the receiver until questions_forget(). False with a reason: the session is
 * to end. */
static bool questions_ask(struct questions *q, struct session_question *question,
                          struct reason *why)
{
    const struct session_event head = {.type = SESSION_QUESTION};
    struct session_event *event;
    bool answered;

    question->number = ++q->asked;
    session_name_server(&q->options->address, &q->options->route, question);
    event = session_event_create(&head, question, sizeof *question);
    if (!event)
        return reason_set(why, "out of memory");
    life_hold_deadlines(q->life, true, tick_now());
    pthread_mutex_lock(&q->lock);
    q->open = *question;
    pthread_mutex_unlock(&q->lock);
    events_add(q->events, event);
    pthread_mutex_lock(&q->lock);
    while (!q->answer.question && !q->stopped)
        pthread_cond_wait(&q->answered, &q->lock);
    answered = q->answer.question;
    q->open.number = 0;
    pthread_mutex_unlock(&q->lock);
    life_hold_deadlines(q->life, false, tick_now());
    return answered || reason_set(why, "stopped");
}

static void questions_forget(struct questions *q)
{
    pthread_mutex_lock(&q->lock);
    explicit_bzero(&q->answer, sizeof q->answer);
    pthread_mutex_unlock(&q->lock);
}

/* Whether the answer is no refusal. If it is one that gives a reason, `why` becomes that reason. */
static bool questions_agreed(const struct questions *q, struct reason *why)
{
    if (q->answer.verdict != ANSWER_REFUSED)
        return true;
    return *q->answer.reason ? reason_set(why, "%s", q->answer.reason) : false;
}

bool questions_ask_credentials(void *user, bool want_user, const struct security *way, char **name,
                               char **password, struct reason *why)
{
    struct session_question question = {.kind =
                                            want_user ? QUESTION_USER_PASSWORD : QUESTION_PASSWORD,
                                        .channel = way->channel,
                                        .proof = way->proof};
    struct questions *q = user;
    bool ok;

    if (!questions_ask(q, &question, why))
        return false;
    reason_set(why, "no password given");
    ok = questions_agreed(q, why);
    if (ok) {
        if (want_user)
            *name = strdup(q->answer.user);
        *password = strdup(q->answer.password);
        ok = (*password && (!want_user || *name)) || reason_set(why, "out of memory");
    }
    questions_forget(q);
    return ok;
}

bool questions_ask_trust(void *user, const struct key_doubt *doubt, struct reason *why)
{
    struct session_question question = {.kind = QUESTION_TRUST,
                                        .channel = !*doubt->brief          ? CHANNEL_CERTIFICATE
                                                   : doubt->handshake_only ? CHANNEL_HANDSHAKE
                                                                           : CHANNEL_KEY,
                                        .acceptable = doubt->acceptable};
    struct questions *q = user;
    bool ok;

    memcpy(question.sha256, doubt->sha256, sizeof question.sha256);
    snprintf(question.brief, sizeof question.brief, "%s", doubt->brief);
    snprintf(question.faults, sizeof question.faults, "%s", doubt->faults.text);
    snprintf(question.subject, sizeof question.subject, "%s", doubt->facts.subject);
    snprintf(question.expires, sizeof question.expires, "%s", doubt->facts.expires);
    ok = questions_ask(q, &question, why) && questions_agreed(q, why);
    questions_forget(q);
    return ok;
}

/* ---- the owner answers ---- */

/* Whether an answer has the number of the open question, and is of its kind. */
static bool questions_fit(const struct session_question *q, const struct session_answer *a)
{
    return q->number != 0 && q->number == a->question &&
           (a->verdict == ANSWER_REFUSED ||
            (a->verdict == ANSWER_TRUSTED) == (q->kind == QUESTION_TRUST));
}

void questions_answer(struct questions *q, const struct session_answer *answer)
{
    pthread_mutex_lock(&q->lock);
    if (questions_fit(&q->open, answer) && !q->answer.question) {
        q->answer = *answer;
        pthread_cond_broadcast(&q->answered);
    }
    pthread_mutex_unlock(&q->lock);
}

void questions_stop(struct questions *q)
{
    pthread_mutex_lock(&q->lock);
    q->stopped = true;
    pthread_cond_broadcast(&q->answered);
    pthread_mutex_unlock(&q->lock);
}
