// Commands and events as bytes, for tests.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "rfb/session/session_message.h"

namespace samples
{

using Bytes = std::vector<char>;
using Event = struct session_event;
using Command = struct session_command;
using Question = struct session_question;
using Answer = struct session_answer;

// One interface to both directions.
inline bool head_valid(const Event &e)
{
    return session_event_head_valid(&e);
}

inline bool head_valid(const Command &c)
{
    return session_command_head_valid(&c);
}

template <typename Head> const Head *head_of(const Bytes &b)
{
    return reinterpret_cast<const Head *>(b.data());
}

inline bool valid(const Event *e, size_t bytes)
{
    return session_event_valid(e, bytes);
}

inline bool valid(const Command *c, size_t bytes)
{
    return session_command_valid(c, bytes);
}

template <typename Head> bool valid(const Bytes &b)
{
    return valid(head_of<Head>(b), b.size());
}

template <typename Head> Bytes message(Head head, const void *bulk, size_t size)
{
    head.size = static_cast<uint32_t>(size);
    Bytes b(sizeof head + size);
    memcpy(b.data(), &head, sizeof head);
    if (size > 0)
        memcpy(b.data() + sizeof head, bulk, size);
    return b;
}

// The text and its NUL.
template <typename Head> Bytes message(Head head, const std::string &text)
{
    return message(head, text.c_str(), text.size() + 1);
}

inline Event event(uint32_t type, int32_t width = 0, int32_t height = 0, int32_t hot_x = 0,
                   int32_t hot_y = 0, uint32_t failure = 0)
{
    return {type, 0, width, height, hot_x, hot_y, failure, 0};
}

inline Event leds(uint32_t leds)
{
    return {SESSION_LEDS, 0, 0, 0, 0, 0, 0, leds};
}

inline Command command(uint32_t type)
{
    return {type, 0, 0, 0, 0, 0, 0, 0};
}

inline Command key(uint32_t keysym, uint32_t down, uint32_t code = 0)
{
    return {COMMAND_KEY, 0, keysym, down, 0, 0, 0, code};
}

inline Command pointer(int32_t x, int32_t y, uint32_t buttons)
{
    return {COMMAND_POINTER, 0, 0, 0, x, y, buttons, 0};
}

inline Command step(int32_t x, int32_t y, uint32_t buttons)
{
    return {COMMAND_STEP, 0, 0, 0, x, y, buttons, 0};
}

inline Bytes cursor(int32_t width, int32_t height, int32_t hot_x, int32_t hot_y)
{
    std::vector<uint32_t> pixels(static_cast<size_t>(width * height), 0x80ff00ff);
    return message(event(SESSION_CURSOR, width, height, hot_x, hot_y), pixels.data(),
                   pixels.size() * sizeof(uint32_t));
}

inline Question trust()
{
    Question q = {};
    q.number = 2;
    q.kind = QUESTION_TRUST;
    q.channel = CHANNEL_CERTIFICATE;
    q.port = 5901;
    q.acceptable = 1;
    memset(q.sha256, 0xab, sizeof q.sha256);
    strcpy(q.host, "gr\xc3\xbc\xc3\x9f.example");
    strcpy(q.faults, "it has expired; it is not for 'x'");
    strcpy(q.subject, "CN=gr\xc3\xbc\xc3\x9f.example");
    strcpy(q.expires, "2026-11-22 14:05 UTC");
    return q;
}

inline Question credentials(uint32_t kind)
{
    Question q = {};
    q.number = 0xffffffff;
    q.kind = kind;
    q.channel = CHANNEL_ANONYMOUS;
    q.proof = kind == QUESTION_PASSWORD ? PROOF_VNC : PROOF_PLAIN;
    q.port = 65535;
    q.way = WAY_SSH;
    strcpy(q.host, "far.example");
    strcpy(q.gateway, "me@gate");
    return q;
}

inline Answer answer(uint32_t verdict, const char *user, const char *password, const char *reason)
{
    Answer a = {};
    a.question = 7;
    a.verdict = verdict;
    strcpy(a.user, user);
    strcpy(a.password, password);
    strcpy(a.reason, reason);
    return a;
}

inline Bytes message(const Question &q)
{
    return message(event(SESSION_QUESTION), &q, sizeof q);
}

inline session_ticket ticket(uint16_t port, uint16_t tries = 0)
{
    session_ticket t = {};
    t.port = port;
    t.tries = tries;
    memset(t.secret, 's', sizeof t.secret);
    return t;
}

inline Bytes message(const session_ticket &t)
{
    return message(event(SESSION_TICKET), &t, sizeof t);
}

inline Bytes tuning(uint32_t quality, uint32_t policy, uint32_t prp_us)
{
    const struct session_tuning t = {quality, policy, prp_us};
    return message(command(COMMAND_TUNE), &t, sizeof t);
}

inline Bytes message(const Answer &a)
{
    return message(command(COMMAND_ANSWER), &a, sizeof a);
}

inline std::string longest(size_t max)
{
    return std::string(max - 1, 'x');
}

} // namespace samples
