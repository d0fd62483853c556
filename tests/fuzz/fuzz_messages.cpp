/* What comes through a channel between a session and its owner, as fuzzer input: the first byte
 * says whether the rest is an event ('e') or a command ('c'). The head is checked
 * alone, then the whole, then what it holds is read to its end.
 *
 * Link with libFuzzer (clang -fsanitize=fuzzer), or with replay.cpp. */
#include <cstdlib>
#include <cstring>

#include "must.hpp"
#include "rfb/decode/framebuffer.h"
#include "rfb/session/session_message.h"
#include "rfb/texts/reason.h"
#include "rfb/texts/utf8.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace
{

const uint32_t BULK_MAX = SESSION_CUT_TEXT_MAX; /* the longest bulk of all */

/* A message as its receiver has it: aligned, and with nothing behind it. */
template <typename Head> Head *message_of(const uint8_t *data, size_t size)
{
    void *bytes = malloc(size);

    must(bytes, "there is memory");
    memcpy(bytes, data, size);
    return static_cast<Head *>(bytes);
}

void check_text(const char *text, size_t size, bool shown)
{
    must(strnlen(text, size) == size - 1, "a text ends with the message");
    must(utf8_valid(text), "a text is UTF-8");
    must(!shown || is_sanitised(text), "what is shown is sanitised");
}

template <size_t SIZE> void check_string(const char (&text)[SIZE])
{
    must(strnlen(text, SIZE) < SIZE, "a string ends");
}

void check_event(const session_event *e)
{
    if (const char *text = session_event_text(e))
        check_text(text, e->size, e->type != SESSION_CUT_TEXT);
    if (const uint32_t *pixels = session_event_pixels(e)) {
        uint32_t sum = 0;
        for (int i = 0; i < e->width * e->height; i++)
            sum += pixels[i];
        is_read(sum);
        must(e->hot_x >= 0 && e->hot_x < e->width && e->hot_y >= 0 && e->hot_y < e->height,
             "the hot spot is in the shape");
    }
    if (const session_question *q = session_event_question(e)) {
        check_string(q->host);
        check_string(q->gateway);
        check_string(q->faults);
        check_string(q->subject);
        check_string(q->expires);
        must(is_sanitised(q->host) && is_sanitised(q->gateway) && is_sanitised(q->faults) &&
                 is_sanitised(q->subject) && is_sanitised(q->expires),
             "a question can be shown");
        must(q->number != 0 && q->port <= 65535 && q->way < SESSION_WAYS, "numbers have bounds");
    }
    if (e->type == SESSION_CONNECTED || e->type == SESSION_RESIZED)
        must(e->width > 0 && e->width <= FRAMEBUFFER_MAX_SIDE && e->height > 0 &&
                 e->height <= FRAMEBUFFER_MAX_SIDE,
             "a picture has bounds");
    must(e->failure < FAILURES, "a failure is known");
}

void check_command(const session_command *c)
{
    if (const char *text = session_command_text(c))
        check_text(text, c->size, false);
    if (const session_answer *a = session_command_answer(c)) {
        check_string(a->user);
        check_string(a->password);
        check_string(a->reason);
        must(is_sanitised(a->reason), "a reason can be shown");
    }
    if (const session_tuning *t = session_command_tuning(c))
        must(t->quality <= 9 || t->quality == TUNING_AUTO, "a quality has bounds");
    if (c->type == COMMAND_STEP)
        must(abs(c->x) <= SESSION_STEP_MAX && abs(c->y) <= SESSION_STEP_MAX, "a step has bounds");
    if (c->type == COMMAND_POINTER)
        must(c->x >= 0 && c->y >= 0 && c->x <= 65535 && c->y <= 65535, "a pointer has bounds");
}

template <typename Head, typename HeadValid, typename Valid, typename Check>
void receive(const uint8_t *data, size_t size, HeadValid head_valid, Valid valid, Check check)
{
    if (size < sizeof(Head))
        return;
    Head *head = message_of<Head>(data, sizeof(Head)); /* first the head, and no more */
    bool good = head_valid(head);
    must(!good || head->size <= BULK_MAX, "from now on the size has a limit");
    free(head);
    Head *m = message_of<Head>(data, size);
    if (valid(m, size)) {
        must(good, "a whole message has a good head");
        must(size == sizeof(Head) + m->size, "the size is that of the message");
        check(m);
    }
    free(m);
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    if (data[0] == 'e')
        receive<session_event>(data + 1, size - 1, session_event_head_valid, session_event_valid,
                               check_event);
    else
        receive<session_command>(data + 1, size - 1, session_command_head_valid,
                                 session_command_valid, check_command);
    return 0;
}
