// Commands and events as bytes: through a socket pair, whole and broken.
#include "tests/catch.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "prerequest/event.h"
#include "rfb/decode/framebuffer.h"
#include "rfb/proto/encodings/cursor.h"
#include "session_samples.hpp"

using namespace samples;

namespace
{

// Every type, with the least and the most that it can hold.
std::vector<Bytes> events()
{
    const int32_t side = FRAMEBUFFER_MAX_SIDE;
    return {
        message(event(SESSION_CONNECTED, 1, 1), ""),
        message(event(SESSION_CONNECTED, side, side), longest(SESSION_NAME_MAX)),
        message(event(SESSION_RESIZED, 1, side), nullptr, 0),
        message(event(SESSION_RESIZED, side, 1), nullptr, 0),
        message(event(SESSION_NAME), ""),
        message(event(SESSION_NAME), "Gr\xc3\xbc\xc3\x9f"
                                     "e \xf0\x9f\x98\x80"),
        message(event(SESSION_NAME), longest(SESSION_NAME_MAX)),
        cursor(0, 0, 0, 0),
        cursor(1, 1, 0, 0),
        cursor(32, 16, 31, 15),
        cursor(CURSOR_MAX_SIDE, CURSOR_MAX_SIDE, 0, CURSOR_MAX_SIDE - 1),
        message(leds(0), nullptr, 0),
        message(leds(7), nullptr, 0),
        message(event(SESSION_KEY_CODES), nullptr, 0),
        message(event(SESSION_STEPS, 0), nullptr, 0),
        message(event(SESSION_STEPS, 1), nullptr, 0),
        message(event(SESSION_SOUND, 0), nullptr, 0),
        message(event(SESSION_SOUND, 1), nullptr, 0),
        message(event(SESSION_RESIZABLE), nullptr, 0),
        message(event(SESSION_CERTIFIED), nullptr, 0),
        message(event(SESSION_BELL), nullptr, 0),
        message(event(SESSION_CUT_TEXT), ""),
        message(event(SESSION_CUT_TEXT), "two\r\n\x1b lines"),
        message(event(SESSION_CUT_TEXT), longest(SESSION_CUT_TEXT_MAX)),
        message(event(SESSION_NOTICE), ""),
        message(event(SESSION_NOTICE), longest(SESSION_REASON_MAX)),
        message(credentials(QUESTION_PASSWORD)),
        message(credentials(QUESTION_USER_PASSWORD)),
        message(trust()),
        message(ticket(SESSION_DATAGRAM_PORT_LEAST)),
        message(ticket(65535)),
        message(event(SESSION_CLOSED), nullptr, 0),
        message(event(SESSION_CLOSED, 0, 0, 0, 0, FAILURE_LOST),
                "the server closed the connection"),
        message(event(SESSION_CLOSED, 0, 0, 0, 0, FAILURE_PROTOCOL), "an unknown message"),
        message(event(SESSION_CLOSED), longest(SESSION_REASON_MAX)),
    };
}

std::vector<Bytes> commands()
{
    std::string secret = longest(SESSION_SECRET_MAX);
    return {
        message(key(0, 0), nullptr, 0),
        message(key(0xffffffff, 1), nullptr, 0),
        message(key(0, 1, 1), nullptr, 0),
        message(key(0xff0d, 0, 0xff), nullptr, 0),
        message(pointer(0, 0, 0), nullptr, 0),
        message(step(-0x7fff, 0x7fff, 0x1ff), nullptr, 0),
        message(step(0x7fff, -0x7fff, 0), nullptr, 0),
        message(pointer(0xffff, 0xffff, 0x1ff), nullptr, 0),
        message(command(COMMAND_CUT_TEXT), ""),
        message(command(COMMAND_CUT_TEXT), "two\r\n\x1b lines: gr\xc3\xbc\xc3\x9f"),
        message(command(COMMAND_CUT_TEXT), longest(SESSION_COPIED_MAX)),
        message(answer(ANSWER_REFUSED, "", "", "")),
        message(answer(ANSWER_REFUSED, "", "", longest(SESSION_REASON_MAX).c_str())),
        message(answer(ANSWER_CREDENTIALS, "", "", "")),
        message(answer(ANSWER_CREDENTIALS, "somebody", "no UTF-8: \xff\xc3", "")),
        message(answer(ANSWER_CREDENTIALS, secret.c_str(), secret.c_str(), "")),
        message(answer(ANSWER_TRUSTED, "", "", "")),
        tuning(0, PRP_OFF, 0),
        tuning(9, PRP_FIXED, 1000),
        tuning(9, PRP_THESIS, 1000),
        tuning(TUNING_AUTO, PRP_FIXED, 10000000),
        tuning(TUNING_AUTO, PRP_AUTO, 0),
        message(command(COMMAND_ASK_ALL), nullptr, 0),
        message(Command{COMMAND_WATCH, 0, 0, 1, 0, 0, 0, 0}, nullptr, 0),
        message(Command{COMMAND_HIDE, 0, 0, 1, 0, 0, 0, 0}, nullptr, 0),
        message(Command{COMMAND_SOUND, 0, 0, 1, 0, 0, 0, 0}, nullptr, 0),
        message(Command{COMMAND_RESIZE, 0, 0, 0, 1280, 800, 0, 0}, nullptr, 0),
        message(command(COMMAND_STOP), nullptr, 0),
    };
}

std::vector<Bytes> all(const Event *)
{
    return events();
}

std::vector<Bytes> all(const Command *)
{
    return commands();
}

bool read_all(int fd, void *out, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t n = read(fd, static_cast<char *>(out) + done, size - done);
        if (n <= 0)
            return false;
        done += static_cast<size_t>(n);
    }
    return true;
}

// What a process does that does not trust the other end. Empty: refused, or it ended too early.
template <typename Head> Bytes receive(int fd)
{
    Head head;
    if (!read_all(fd, &head, sizeof head) || !head_valid(head))
        return {};
    Bytes b(sizeof head + head.size);
    memcpy(b.data(), &head, sizeof head);
    if (!read_all(fd, b.data() + sizeof head, head.size) || !valid<Head>(b))
        return {};
    return b;
}

// Through a socket pair, whose writing end then closes.
template <typename Head> Bytes passed(const char *bytes, size_t size)
{
    int ends[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    std::thread writer([&] {
        for (size_t done = 0; done < size;) {
            ssize_t n = send(ends[1], bytes + done, size - done, MSG_NOSIGNAL);
            if (n <= 0)
                break; // refused by its head, and the reader has gone
            done += static_cast<size_t>(n);
        }
        close(ends[1]);
    });
    Bytes got = receive<Head>(ends[0]);
    close(ends[0]);
    writer.join();
    return got;
}

template <typename Head> Bytes changed(Bytes b, const std::function<void(Head &, char *)> &change)
{
    change(*reinterpret_cast<Head *>(b.data()), b.data() + sizeof(Head));
    return b;
}

// What every kind of message refuses.
template <typename Head> void check_broken(const Bytes &whole, uint32_t types)
{
    const Head &head = *head_of<Head>(whole);
    INFO("type " << head.type << ", " << head.size << " bytes of bulk");
    REQUIRE(valid<Head>(whole));
    size_t accepted = 0;
    for (size_t n = 0; n < whole.size(); n++)
        accepted += valid(head_of<Head>(whole), n);
    CHECK(accepted == 0);
    Bytes longer = whole;
    longer.push_back('\0');
    CHECK_FALSE(valid<Head>(longer));

    for (uint32_t type : {types, types + 1, 255u, 0x80000000u, 0xffffffffu})
        CHECK_FALSE(valid<Head>(changed<Head>(whole, [&](Head &h, char *) { h.type = type; })));
    for (uint32_t size : {head.size + 1, head.size - 1, head.size ^ 0x80000000u, 0xffffffffu})
        CHECK_FALSE(valid<Head>(changed<Head>(whole, [&](Head &h, char *) { h.size = size; })));
    // the same with a bulk that has this size; 8 MiB is more than any has
    for (size_t size : {size_t{head.size} + 1, size_t{8} << 20}) {
        Bytes other = whole;
        other.resize(sizeof(Head) + size, 'x');
        reinterpret_cast<Head *>(other.data())->size = static_cast<uint32_t>(size);
        CHECK_FALSE(valid<Head>(other));
    }
}

template <typename Head> void check_all_broken(uint32_t types)
{
    for (const Bytes &whole : all(static_cast<Head *>(nullptr)))
        check_broken<Head>(whole, types);
}

// Cut anywhere on its way.
template <typename Head> void check_cut_in_the_pipe()
{
    for (const Bytes &whole : all(static_cast<Head *>(nullptr))) {
        if (whole.size() > 4096)
            continue;
        for (size_t n = 0; n < whole.size(); n += n < 40 ? 1 : 97)
            CHECK(passed<Head>(whole.data(), n).empty());
    }
}

// Each bit of each message, one at a time. What passes is still safe to look at.
template <typename Head> void check_bits(const std::function<bool(const Head *)> &safe)
{
    for (const Bytes &whole : all(static_cast<Head *>(nullptr))) {
        if (whole.size() > 4096)
            continue;
        Bytes b = whole;
        size_t unsafe = 0;
        for (size_t bit = 0; bit < 8 * b.size(); bit++) {
            b[bit / 8] = static_cast<char>(b[bit / 8] ^ 1 << bit % 8);
            unsafe += valid<Head>(b) && !safe(head_of<Head>(b));
            b[bit / 8] = whole[bit / 8];
        }
        INFO("type " << head_of<Head>(whole)->type << ", " << whole.size() << " bytes");
        CHECK(unsafe == 0);
    }
}

} // namespace

TEST_CASE("every event and every command goes through a pipe as it is")
{
    for (const Bytes &whole : events()) {
        INFO("event " << head_of<Event>(whole)->type << ", " << whole.size() << " bytes");
        REQUIRE(valid<Event>(whole));
        CHECK(passed<Event>(whole.data(), whole.size()) == whole);
    }
    for (const Bytes &whole : commands()) {
        INFO("command " << head_of<Command>(whole)->type << ", " << whole.size() << " bytes");
        REQUIRE(valid<Command>(whole));
        CHECK(passed<Command>(whole.data(), whole.size()) == whole);
    }
}

TEST_CASE("a message that was cut, or whose type or size is wrong, is refused")
{
    check_all_broken<Event>(SESSION_EVENT_TYPES);
    check_all_broken<Command>(SESSION_COMMAND_TYPES);
    check_cut_in_the_pipe<Event>();
    check_cut_in_the_pipe<Command>();
}

TEST_CASE("a size is refused by the head alone: nobody makes room for it")
{
    for (uint32_t type = 0; type < SESSION_EVENT_TYPES; type++) {
        Event e = event(type, type <= SESSION_RESIZED, type <= SESSION_RESIZED);
        for (uint32_t size : {8u << 20, 0x7fffffffu, 0xffffffffu}) {
            e.size = size;
            CHECK_FALSE(session_event_head_valid(&e));
        }
    }
    for (uint32_t type = 0; type < SESSION_COMMAND_TYPES; type++) {
        Command c = command(type);
        for (uint32_t size : {8u << 20, 0x7fffffffu, 0xffffffffu}) {
            c.size = size;
            CHECK_FALSE(session_command_head_valid(&c));
        }
    }
    CHECK_FALSE(valid<Event>(message(event(SESSION_NAME), longest(SESSION_NAME_MAX + 1))));
    CHECK_FALSE(
        valid<Event>(message(event(SESSION_CONNECTED, 1, 1), longest(SESSION_NAME_MAX + 1))));
    CHECK_FALSE(valid<Event>(message(event(SESSION_NOTICE), longest(SESSION_REASON_MAX + 1))));
    CHECK_FALSE(valid<Event>(message(event(SESSION_CLOSED), longest(SESSION_REASON_MAX + 1))));
    CHECK_FALSE(valid<Event>(message(event(SESSION_CUT_TEXT), longest(SESSION_CUT_TEXT_MAX + 1))));
    CHECK_FALSE(
        valid<Command>(message(command(COMMAND_CUT_TEXT), longest(SESSION_COPIED_MAX + 1))));
}

TEST_CASE("a message with a wrong bit is refused, or can be read all the same")
{
    check_bits<Event>([](const Event *e) {
        const char *text = session_event_text(e);
        const struct session_question *q = session_event_question(e);
        if (q)
            return strlen(q->host) < sizeof q->host && strlen(q->faults) < sizeof q->faults &&
                   strlen(q->subject) < sizeof q->subject &&
                   strlen(q->expires) < sizeof q->expires &&
                   strlen(q->gateway) < sizeof q->gateway && q->kind <= QUESTION_TRUST &&
                   q->way < SESSION_WAYS;
        return !text || strlen(text) + 1 == e->size;
    });
    check_bits<Command>([](const Command *c) {
        const char *text = session_command_text(c);
        const struct session_answer *a = session_command_answer(c);
        if (a)
            return strlen(a->user) < sizeof a->user && strlen(a->password) < sizeof a->password &&
                   strlen(a->reason) < sizeof a->reason && a->verdict <= ANSWER_TRUSTED;
        return !text || strlen(text) + 1 == c->size;
    });
}
