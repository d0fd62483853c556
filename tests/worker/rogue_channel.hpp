// A process in the place of vnchl-session, and its viewer: what they tell each other.
#pragma once

#include <poll.h>
#include <unistd.h>

#include <string>

#include "rfb/worker/channel.h"
#include "rfb/worker/worker_message.h"

namespace rogue
{

inline struct channel *viewer;
inline struct worker_start start;

// The next message of the viewer. The program ends with the channel.
inline struct channel_message receive()
{
    struct pollfd p = {WORKER_CHANNEL_FD, POLLIN, 0};
    struct channel_message m;
    enum channel_state state;
    while ((state = channel_receive(viewer, &m)) == CHANNEL_EMPTY)
        poll(&p, 1, -1);
    if (state != CHANNEL_MESSAGE)
        _exit(0);
    return m;
}

inline void tell(uint32_t type, const void *body, size_t size)
{
    struct pollfd p = {WORKER_CHANNEL_FD, POLLOUT, 0};
    if (!channel_send(viewer, type, body, size))
        _exit(0);
    while (channel_waiting(viewer) > 0 && poll(&p, 1, -1) > 0)
        if (!channel_flush(viewer))
            _exit(0);
}

inline void tell_event(struct session_event head, const std::string &text, size_t size)
{
    head.size = static_cast<uint32_t>(size);
    std::string body(reinterpret_cast<char *>(&head), sizeof head);
    body += text;
    body.resize(sizeof head + size);
    tell(WORKER_EVENT, body.data(), body.size());
}

inline void tell_event(uint32_t type, const std::string &text, size_t size)
{
    struct session_event head = {};
    head.type = type;
    tell_event(head, text, size);
}

inline void tell_event(uint32_t type, const std::string &text)
{
    tell_event(type, text, text.size() + 1);
}

} // namespace rogue
