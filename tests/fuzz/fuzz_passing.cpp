/* What a client and a server say to the accelerator, from the first byte on, as fuzzer input: the
 * handshake, VeNCrypt that is ended, and the messages behind it. TLS itself is not there: it counts
 * as begun as soon as it may. The first byte says how VeNCrypt is ended (bit 0: not at all, bit 1:
 * the server is pinned, bit 2: certificates are offered, too, bit 3: it is known what the server
 * has, bit 4: a choice with a certificate is passed on, bit 5: the server has a proof from us
 * already). Then come pieces: a byte whose first bit says that the client speaks, and whose others
 * say how many bytes follow.
 *
 * Link with libFuzzer (clang -fsanitize=fuzzer), or with replay.cpp. */
#include <cstdint>
#include <cstring>

#include "must.hpp"
#include "tools/accelerator/connection/greeting.h"
#include "tools/accelerator/exchange/exchange.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace
{

const size_t INPUT_MAX = 20000, HOLD = 64 << 10;

struct Passing {
    flight path = {};
    exchange x;
    greeting g;
    vencrypt_known known = {};
    exchange_news news = {};
    tick_t now = TICK_S;
    bool greets = true, over = false, tls_client = false, tls_server = false, paper;

    explicit Passing(uint8_t how) : paper(how & 64)
    {
        vencrypt_plan plan = {};
        plan.pinned = how & 2;
        plan.certificate = how & 4;
        plan.passes = how & 16;
        plan.known = &known;
        if (how & 8)
            known = {{VENCRYPT_TLS_VNC, VENCRYPT_X509_PLAIN, SECURITY_VNC}, 3};
        flight_init(&path);
        exchange_init(&x, &path, false, HOLD, CONTINUOUS_OWN);
        if (how & 32)
            must(greeting_begin_proven(&g, &x.down), "there is memory");
        else
            greeting_begin(&g, how & 1 ? nullptr : &plan);
    }
    ~Passing()
    {
        exchange_deinit(&x);
    }
    Passing(const Passing &) = delete;
    Passing &operator=(const Passing &) = delete;

    void greet()
    {
        for (;;) {
            greeting_answer answer = greeting_go_on(&g, &x.down, &x.up, now);
            must(g.vencrypt.offered_count <= VENCRYPT_OFFERED_MAX, "an offer has an end");
            must(known.count <= VENCRYPT_HAS_MAX, "what is known has an end");
            if (answer == GREETING_TLS_SERVER || answer == GREETING_TLS_CLIENT) {
                bool &begun = answer == GREETING_TLS_SERVER ? tls_server : tls_client;
                must(!begun, "TLS begins once on each side");
                begun = true;
                must(greeting_tls_begun(&g, &x.down, now), "there is memory");
                continue;
            }
            greets = answer == GREETING_WAITS;
            over = answer == GREETING_FAILED;
            must(!over || greeting_why(&g)[0], "there is a reason to fail");
            if (g.vencrypt.client && answer == GREETING_DONE) {
                must(tls_client == (g.vencrypt.client->channel != CHANNEL_CLEAR),
                     "the client has the TLS that it has chosen");
                must(g.vencrypt.client->proof == g.vencrypt.server->proof, "one proof for both");
                must(!g.plan.pinned || tls_server, "a pinned server has TLS");
            }
            if (answer == GREETING_DONE)
                exchange_begin(&x, &g.framing.format, g.framing.width, g.framing.height, true,
                               "bbr");
            if (answer == GREETING_DONE && paper)
                exchange_follow_paper(&x);
            if (answer != GREETING_WAITS && !over)
                exchange_goes_on(&x, now, &news);
            return;
        }
    }
    void server(const uint8_t *bytes, size_t size)
    {
        if (greets)
            must(bytes_append(&x.down.in, bytes, size), "there is memory");
        else
            exchange_from_server(&x, bytes, size, now, &news);
    }
    void client(const uint8_t *bytes, size_t size)
    {
        must(bytes_append(&x.up.in, bytes, size), "there is memory");
        if (!greets)
            exchange_from_client(&x, now, &news);
    }
    /* What a connection does then. */
    void settle()
    {
        if (greets)
            greet();
        if (!over && g.framing.state == HANDSHAKE_DONE) {
            exchange_say(&x, now, &news);
            exchange_ask(&x, now, &news);
            exchange_look_again(&x, now);
        }
        down_left(&x.down, delivery_ready(&x.down.out), now);
        bytes_take(&x.up.out, x.up.out.size);
        must(!news.no_memory, "there is memory");
        over = over || news.unfit;
        now += TICK_MS;
    }
};

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1 || size > INPUT_MAX)
        return 0;
    Passing p(data[0]);
    for (size_t at = 1; at < size && !p.over;) {
        bool of_client = data[at] & 128;
        size_t length = data[at++] & 127;

        length = length < size - at ? length : size - at;
        if (of_client)
            p.client(data + at, length);
        else
            p.server(data + at, length);
        at += length;
        p.settle();
    }
    return 0;
}
