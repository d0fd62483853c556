/* What the process of a session sends to the viewer, as fuzzer input: the bytes of the channel.
 * They are received, and each message is checked and read as the courier does
 * (rfb/worker/courier.c).
 *
 * Link with libFuzzer (clang -fsanitize=fuzzer), or with replay.cpp. */
#include <sys/socket.h>
#include <unistd.h>

#include <cmath>
#include <cstring>

#include "must.hpp"
#include "rfb/texts/reason.h"
#include "rfb/worker/channel.h"
#include "rfb/worker/worker_message.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace
{

void take_event(const channel_message &m)
{
    const auto *e = static_cast<const session_event *>(m.body);

    if (m.size < sizeof *e || !session_event_head_valid(e) || !session_event_valid(e, m.size))
        return;
    must(m.size == sizeof *e + e->size, "an event fills its message");
    if (const char *text = session_event_text(e))
        must(strnlen(text, e->size) == e->size - 1, "a text ends with the message");
}

void take_stats(const channel_message &m)
{
    static struct session_stats s;

    if (m.size != sizeof s)
        return;
    memcpy(static_cast<void *>(&s), m.body, sizeof s);
    worker_stats_repair(&s, TICK_S);
    must(std::isfinite(s.fps) && s.fps >= 0, "a rate is a number");
    must(is_sanitised(s.name) && is_sanitised(s.rule), "texts can be shown");
    must(percentile_get(&s.meter.gaps, 0.5) >= 0, "gaps can be computed with");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const channel_options options = {worker_limit_of_process, false};
    int ends[2];

    if (size > 100000 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return 0;
    must(size == 0 || write(ends[1], data, size) == static_cast<ssize_t>(size), "it has room");
    close(ends[1]);
    channel *c = channel_create(ends[0], &options);
    must(c, "there is memory");
    channel_message m;
    while (channel_receive(c, &m) == CHANNEL_MESSAGE) {
        must(m.fd == -1, "no descriptor is taken");
        if (m.type == WORKER_EVENT)
            take_event(m);
        if (m.type == WORKER_STATS)
            take_stats(m);
    }
    channel_destroy(c);
    return 0;
}
