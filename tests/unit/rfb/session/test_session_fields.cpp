// The fields of commands and events: what is out of range, and what is no text.
#include "tests/catch.hpp"

#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "prerequest/event.h"
#include "rfb/decode/framebuffer.h"
#include "rfb/proto/encodings/cursor.h"
#include "session_samples.hpp"

using namespace samples;

TEST_CASE("numbers out of their range are refused, and fields that a type does not have")
{
    const int32_t side = FRAMEBUFFER_MAX_SIDE, c = CURSOR_MAX_SIDE;
    for (uint32_t type : {SESSION_CONNECTED, SESSION_RESIZED}) {
        const std::vector<Event> wrong = {event(type, 0, 1),         event(type, 1, 0),
                                          event(type, -1, 1),        event(type, 1, -1),
                                          event(type, side + 1, 1),  event(type, 1, side + 1),
                                          event(type, INT32_MIN, 1), event(type, 1, 1, 1),
                                          event(type, 1, 1, 0, 1),   event(type, INT32_MAX, 1)};
        for (const Event &e : wrong)
            CHECK_FALSE(valid<Event>(type == SESSION_RESIZED ? message(e, nullptr, 0)
                                                             : message(e, "name")));
    }
    for (uint32_t type : {SESSION_NAME, SESSION_CUT_TEXT, SESSION_NOTICE, SESSION_CLOSED})
        for (const Event &e :
             {event(type, 1), event(type, 0, 1), event(type, 0, 0, 1), event(type, 0, 0, 0, 1)})
            CHECK_FALSE(valid<Event>(message(e, "text")));
    CHECK_FALSE(valid<Event>(message(event(SESSION_CLOSED, 0, 0, 0, 0, FAILURES), "text")));
    CHECK_FALSE(valid<Event>(message(event(SESSION_NAME, 0, 0, 0, 0, FAILURE_LOST), "text")));
    CHECK_FALSE(valid<Event>(message(event(SESSION_BELL, 1), nullptr, 0)));
    CHECK_FALSE(valid<Event>(message(event(SESSION_BELL, 0, 0, 0, -1), nullptr, 0)));

    for (const Event &e :
         {leds(8), leds(0xffffffff), event(SESSION_KEY_CODES, 1), event(SESSION_RESIZABLE, 1),
          event(SESSION_CERTIFIED, 1), event(SESSION_STEPS, 2), event(SESSION_STEPS, -1),
          event(SESSION_SOUND, 2), event(SESSION_SOUND, -1), event(SESSION_SOUND, 1, 1),
          event(SESSION_STEPS, 1, 1), event(SESSION_STEPS, 1, 0, 1)})
        CHECK_FALSE(valid<Event>(message(e, nullptr, 0)));
    CHECK_FALSE(valid<Event>(message(leds(1), "text")));
    for (const session_ticket &t : {ticket(0), ticket(1023), ticket(60000, 1)})
        CHECK_FALSE(valid<Event>(message(t)));
    CHECK_FALSE(valid<Event>(message(event(SESSION_TICKET), "text")));
    CHECK_FALSE(valid<Event>(message(event(SESSION_TICKET), nullptr, 0)));
    Event lit = event(SESSION_BELL);
    lit.leds = 1;
    CHECK_FALSE(valid<Event>(message(lit, nullptr, 0)));

    CHECK_FALSE(valid<Event>(cursor(c + 1, 1, 0, 0)));
    CHECK_FALSE(valid<Event>(cursor(1, c + 1, 0, 0)));
    for (const Event &e : {event(SESSION_CURSOR, 2, 2, 2, 0), event(SESSION_CURSOR, 2, 2, 0, 2),
                           event(SESSION_CURSOR, 2, 2, -1, 0), event(SESSION_CURSOR, 2, 2, 0, -1),
                           event(SESSION_CURSOR, 1, 2), event(SESSION_CURSOR, -2, -2),
                           event(SESSION_CURSOR, 0, 0), event(SESSION_CURSOR, 0x40000002, 2)})
        CHECK_FALSE(valid<Event>(message(e, "sixteen bytes are 2 x 2", 16)));
    for (const Event &e : {event(SESSION_CURSOR, 0, 1), event(SESSION_CURSOR, 1, 0),
                           event(SESSION_CURSOR, 0, 0, 1, 0), event(SESSION_CURSOR, 0, 0, 0, 1),
                           event(SESSION_CURSOR, 0x10000, 0x10000)}) // 2 to the 34th bytes
        CHECK_FALSE(valid<Event>(message(e, nullptr, 0)));

    for (const Command &wrong : {key(1, 2),
                                 key(1, 0xffffffff),
                                 pointer(-1, 0, 0),
                                 pointer(0, -1, 0),
                                 pointer(0x10000, 0, 0),
                                 pointer(0, 0x10000, 0),
                                 pointer(0, 0, 0x200),
                                 key(1, 1, 0x100),
                                 key(0, 0, 0xffffffff),
                                 step(0x8000, 0, 0),
                                 step(0, -0x8000, 0),
                                 step(INT32_MIN, 0, 0),
                                 step(0, 0, 0x200),
                                 Command{COMMAND_STEP, 0, 1, 0, 1, 1, 0, 0},
                                 Command{COMMAND_KEY, 0, 1, 1, 1, 0, 0, 0},
                                 Command{COMMAND_KEY, 0, 1, 1, 0, 1, 0, 0},
                                 Command{COMMAND_KEY, 0, 1, 1, 0, 0, 1, 0},
                                 Command{COMMAND_POINTER, 0, 1, 0, 1, 1, 0, 0},
                                 Command{COMMAND_POINTER, 0, 0, 1, 1, 1, 0, 0},
                                 Command{COMMAND_STOP, 0, 1, 0, 0, 0, 0, 0},
                                 Command{COMMAND_WATCH, 0, 0, 2, 0, 0, 0, 0},
                                 Command{COMMAND_WATCH, 0, 1, 1, 0, 0, 0, 0},
                                 Command{COMMAND_WATCH, 0, 0, 1, 1, 0, 0, 0},
                                 Command{COMMAND_WATCH, 0, 0, 1, 0, 0, 0, 1},
                                 Command{COMMAND_HIDE, 0, 0, 2, 0, 0, 0, 0},
                                 Command{COMMAND_SOUND, 0, 0, 2, 0, 0, 0, 0},
                                 Command{COMMAND_SOUND, 0, 0, 1, 1, 0, 0, 0},
                                 Command{COMMAND_HIDE, 0, 0, 1, 0, 1, 0, 0},
                                 Command{COMMAND_STOP, 0, 0, 0, 0, 0, 1, 0},
                                 Command{COMMAND_STOP, 0, 0, 0, 0, 0, 0, 1},
                                 Command{COMMAND_POINTER, 0, 0, 0, 1, 1, 0, 1}})
        CHECK_FALSE(valid<Command>(message(wrong, nullptr, 0)));
    CHECK_FALSE(valid<Command>(message(Command{COMMAND_CUT_TEXT, 0, 0, 0, 0, 1, 0, 0}, "text")));
    const Answer given = answer(ANSWER_CREDENTIALS, "u", "p", "");
    CHECK_FALSE(valid<Command>(
        message(Command{COMMAND_ANSWER, 0, 1, 0, 0, 0, 0, 0}, &given, sizeof given)));
}

TEST_CASE("a period or a quality that there is not is refused")
{
    for (const Bytes &wrong :
         {tuning(10, PRP_AUTO, 0), tuning(0xfffffffe, PRP_AUTO, 0), tuning(5, PRP_POLICIES, 0),
          tuning(5, 0xffffffff, 0), tuning(5, PRP_FIXED, 0), tuning(5, PRP_THESIS, 0),
          tuning(5, PRP_FIXED, 999), tuning(5, PRP_FIXED, 10000001),
          tuning(5, PRP_FIXED, 0xffffffff), tuning(5, PRP_OFF, 1), tuning(5, PRP_AUTO, 1000),
          message(command(COMMAND_TUNE), nullptr, 0), message(command(COMMAND_TUNE), "eleven byte"),
          message(command(COMMAND_ASK_ALL), "text")})
        CHECK_FALSE(valid<Command>(wrong));
    for (uint32_t type : {COMMAND_TUNE, COMMAND_ASK_ALL}) {
        Command c = pointer(1, 0, 0);
        c.type = type;
        const struct session_tuning t = {5, PRP_AUTO, 0};
        CHECK_FALSE(valid<Command>(type == COMMAND_TUNE ? message(c, &t, sizeof t)
                                                        : message(c, nullptr, 0)));
    }
}

TEST_CASE("a wish for a recording that there is not is refused")
{
    auto playing = [](uint32_t paused, uint32_t seeks) {
        const struct session_playing p = {paused, seeks, 0xffffffff};
        return message(command(COMMAND_PLAY), &p, sizeof p);
    };
    CHECK(valid<Command>(playing(1, 1)));
    CHECK(valid<Command>(playing(0, 0)));
    for (const Bytes &wrong :
         {playing(2, 0), playing(0, 2), message(command(COMMAND_PLAY), nullptr, 0),
          message(command(COMMAND_PLAY), "eleven byte")})
        CHECK_FALSE(valid<Command>(wrong));
}

TEST_CASE("a size that no screen can have is refused")
{
    auto resize = [](int32_t x, int32_t y, uint32_t buttons = 0, uint32_t keysym = 0) {
        return message(Command{COMMAND_RESIZE, 0, keysym, 0, x, y, buttons, 0}, nullptr, 0);
    };
    CHECK(valid<Command>(resize(1, 8192)));
    for (const Bytes &wrong :
         {resize(0, 1), resize(1, 0), resize(-1, 5), resize(8193, 5), resize(5, 8193),
          resize(INT32_MIN, 5), resize(5, 5, 1), resize(5, 5, 0, 1),
          message(Command{COMMAND_RESIZE, 0, 0, 0, 5, 5, 0, 0}, "text")})
        CHECK_FALSE(valid<Command>(wrong));
}

TEST_CASE("texts that are not one well-formed text are refused")
{
    const std::vector<std::string> broken = {"\xff",
                                             "a\x80",
                                             "\xc3",
                                             "\xc0\x80",
                                             "\xe0\x80\x80",
                                             "\xed\xa0\x80",
                                             "\xf0\x80\x80\x80",
                                             "\xf4\x90\x80\x80",
                                             "\xe2\x82",
                                             std::string("a\0b", 3)};
    for (const std::string &text : broken) {
        INFO(text);
        CHECK_FALSE(valid<Event>(message(event(SESSION_CONNECTED, 1, 1), text)));
        CHECK_FALSE(valid<Event>(message(event(SESSION_NAME), text)));
        CHECK_FALSE(valid<Event>(message(event(SESSION_CUT_TEXT), text)));
        CHECK_FALSE(valid<Event>(message(event(SESSION_NOTICE), text)));
        CHECK_FALSE(valid<Event>(message(event(SESSION_CLOSED), text)));
        CHECK_FALSE(valid<Command>(message(command(COMMAND_CUT_TEXT), text)));
    }
    // without a NUL, and without a byte
    for (size_t size : {0, 1, 4}) {
        CHECK_FALSE(valid<Event>(message(event(SESSION_CONNECTED, 1, 1), "text", size)));
        CHECK_FALSE(valid<Event>(message(event(SESSION_NAME), "text", size)));
        CHECK_FALSE(valid<Event>(message(event(SESSION_CUT_TEXT), "text", size)));
        CHECK_FALSE(valid<Event>(message(event(SESSION_NOTICE), "text", size)));
        CHECK(valid<Event>(message(event(SESSION_CLOSED), "text", size)) == (size == 0));
        CHECK_FALSE(valid<Command>(message(command(COMMAND_CUT_TEXT), "text", size)));
    }
    // names and reasons go to terminals and titles
    for (const char *text : {"\n", "\x1b[2J", "\x7f", "\xc2\x9b", "\xe2\x80\xae", "\xef\xbb\xbf"}) {
        CHECK_FALSE(valid<Event>(message(event(SESSION_CONNECTED, 1, 1), text)));
        CHECK_FALSE(valid<Event>(message(event(SESSION_NAME), text)));
        CHECK_FALSE(valid<Event>(message(event(SESSION_NOTICE), text)));
        CHECK_FALSE(valid<Event>(message(event(SESSION_CLOSED), text)));
        CHECK(valid<Event>(message(event(SESSION_CUT_TEXT), text)));
        CHECK(valid<Command>(message(command(COMMAND_CUT_TEXT), text)));
    }
}

TEST_CASE("questions that are none are refused")
{
    const std::vector<std::function<void(Question &)>> changes = {
        [](Question &q) { q.number = 0; },
        [](Question &q) { q.kind = QUESTION_TRUST + 1; },
        [](Question &q) { q.kind = 0xffffffff; },
        [](Question &q) { q.kind = QUESTION_PASSWORD; }, // and yet with a certificate
        [](Question &q) { q.proof = PROOF_VNC; },
        [](Question &q) { q.acceptable = 2; },
        [](Question &q) { q.channel = CHANNEL_COUNT; },
        [](Question &q) { q.channel = CHANNEL_CLEAR; }, // and yet with a certificate
        [](Question &q) { q.channel = CHANNEL_KEY; },   // and yet without its brief form
        [](Question &q) { q.channel = CHANNEL_HANDSHAKE; },
        [](Question &q) { strcpy(q.brief, "01-23"); }, // and yet of a certificate
        [](Question &q) { q.channel = CHANNEL_KEY, memset(q.brief, 'x', sizeof q.brief); },
        [](Question &q) { q.channel = CHANNEL_KEY, strcpy(q.brief, "\x1b"); },
        [](Question &q) { q.port = 65536; },
        [](Question &q) { memset(q.host, 'x', sizeof q.host); },
        [](Question &q) { memset(q.faults, 'x', sizeof q.faults); },
        [](Question &q) { q.host[sizeof q.host - 1] = 'x'; }, // behind the NUL
        [](Question &q) { q.faults[sizeof q.faults - 1] = 'x'; },
        [](Question &q) { q.host[0] = '\xff'; },
        [](Question &q) { q.faults[0] = '\x1b'; },
        [](Question &q) { memset(q.subject, 'x', sizeof q.subject); },
        [](Question &q) { memset(q.expires, 'x', sizeof q.expires); },
        [](Question &q) { q.subject[sizeof q.subject - 1] = 'x'; },
        [](Question &q) { q.expires[sizeof q.expires - 1] = 'x'; },
        [](Question &q) { q.subject[0] = '\n'; },
        [](Question &q) { q.expires[0] = '\x1b'; },
    };
    for (size_t i = 0; i < changes.size(); i++) {
        INFO("change " << i);
        Question q = trust();
        CHECK(valid<Event>(message(q)));
        changes[i](q);
        CHECK_FALSE(valid<Event>(message(q)));
    }
    for (uint32_t channel : {CHANNEL_KEY, CHANNEL_HANDSHAKE}) {
        Question q = trust();
        q.channel = channel;
        strcpy(q.brief, "01-23-45-67-89-ab-cd-ef");
        CHECK(valid<Event>(message(q)));
        q.brief[sizeof q.brief - 1] = 'x';
        CHECK_FALSE(valid<Event>(message(q)));
    }
    for (uint32_t kind : {QUESTION_PASSWORD, QUESTION_USER_PASSWORD}) {
        Question q = credentials(kind);
        q.brief[0] = 'x';
        CHECK_FALSE(valid<Event>(message(q)));
        q = credentials(kind);
        q.acceptable = 1;
        CHECK_FALSE(valid<Event>(message(q)));
        q = credentials(kind);
        q.faults[0] = 'x';
        CHECK_FALSE(valid<Event>(message(q)));
        q = credentials(kind);
        q.subject[0] = 'x';
        CHECK_FALSE(valid<Event>(message(q)));
        q = credentials(kind);
        q.expires[0] = 'x';
        CHECK_FALSE(valid<Event>(message(q)));
        q = credentials(kind);
        q.sha256[31] = 1;
        CHECK_FALSE(valid<Event>(message(q)));
    }
}

TEST_CASE("a question says how the answer is told, and that goes with what is asked for")
{
    const std::vector<std::pair<uint32_t, uint32_t>> good = {{QUESTION_PASSWORD, PROOF_VNC},
                                                             {QUESTION_USER_PASSWORD, PROOF_PLAIN},
                                                             {QUESTION_USER_PASSWORD, PROOF_DH}};
    for (uint32_t kind : {QUESTION_PASSWORD, QUESTION_USER_PASSWORD})
        for (uint32_t channel : {CHANNEL_CLEAR, CHANNEL_ANONYMOUS, CHANNEL_CERTIFICATE})
            for (uint32_t proof = 0; proof <= PROOF_COUNT; proof++) {
                INFO(kind << " " << channel << " " << proof);
                Question q = credentials(kind);
                q.channel = channel;
                q.proof = proof;
                bool fits =
                    std::find(good.begin(), good.end(), std::pair{kind, proof}) != good.end();
                // Apple's is the only proof that TLS does not have
                CHECK(valid<Event>(message(q)) ==
                      (fits && (proof != PROOF_DH || channel == CHANNEL_CLEAR)));
            }
}

TEST_CASE("answers that are none are refused")
{
    const std::vector<std::function<void(Answer &)>> changes = {
        [](Answer &a) { a.verdict = ANSWER_TRUSTED + 1; },
        [](Answer &a) { a.verdict = 0xffffffff; },
        [](Answer &a) { a.verdict = ANSWER_REFUSED; }, // and yet with a password
        [](Answer &a) { a.verdict = ANSWER_TRUSTED; },
        [](Answer &a) { memset(a.user, 'x', sizeof a.user); },
        [](Answer &a) { memset(a.password, 'x', sizeof a.password); },
        [](Answer &a) { memset(a.reason, 'x', sizeof a.reason); },
        [](Answer &a) { a.user[sizeof a.user - 1] = 'x'; }, // behind the NUL
        [](Answer &a) { a.password[sizeof a.password - 1] = 'x'; },
        [](Answer &a) { a.reason[sizeof a.reason - 1] = 'x'; },
        [](Answer &a) { a.reason[0] = 'x'; }, // why, without a refusal
    };
    for (size_t i = 0; i < changes.size(); i++) {
        INFO("change " << i);
        Answer a = answer(ANSWER_CREDENTIALS, "user", "password", "");
        CHECK(valid<Command>(message(a)));
        changes[i](a);
        CHECK_FALSE(valid<Command>(message(a)));
    }
    CHECK_FALSE(valid<Command>(message(answer(ANSWER_TRUSTED, "", "", "why"))));
    CHECK_FALSE(valid<Command>(message(answer(ANSWER_REFUSED, "", "", "\xff"))));
    CHECK_FALSE(valid<Command>(message(answer(ANSWER_REFUSED, "", "", "\x1b"))));
}

TEST_CASE("what a message holds")
{
    Bytes b = message(event(SESSION_NAME), "a name");
    CHECK(session_event_text(head_of<Event>(b)) == std::string("a name"));
    CHECK_FALSE(session_event_pixels(head_of<Event>(b)));
    CHECK_FALSE(session_event_question(head_of<Event>(b)));
    b = cursor(2, 1, 0, 0);
    CHECK(session_event_pixels(head_of<Event>(b))[1] == 0x80ff00ff);
    CHECK_FALSE(session_event_text(head_of<Event>(b)));
    b = message(trust());
    CHECK(session_event_question(head_of<Event>(b))->number == 2);
    CHECK_FALSE(session_event_text(head_of<Event>(b)));
    b = message(event(SESSION_CLOSED), nullptr, 0);
    CHECK_FALSE(session_event_text(head_of<Event>(b)));
    b = message(answer(ANSWER_REFUSED, "", "", "why"));
    CHECK(session_command_answer(head_of<Command>(b))->reason == std::string("why"));
    CHECK_FALSE(session_command_text(head_of<Command>(b)));
}
