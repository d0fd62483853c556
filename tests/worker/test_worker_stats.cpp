// Figures of a process that is not trusted.
#include "tests/catch.hpp"

#include <cmath>
#include <cstring>

#include "rfb/worker/worker_message.h"

TEST_CASE("worker: right figures are left as they are")
{
    struct session_stats s = {}, before;
    meter_init(&s.meter);
    meter_update(&s.meter, true, 5 * TICK_S);
    meter_update(&s.meter, true, 6 * TICK_S);
    s.fps = 29.97;
    s.elapsed = 7 * TICK_S;
    s.heard_at = 6 * TICK_S;
    s.bytes_received = 1 << 20;
    s.bytes_sent = -1;
    s.quality = -1;
    s.compress = 9;
    s.width = 1920;
    s.height = 1080;
    s.silent = s.accelerated = true;
    response_parts_near(&s.response, 20 * TICK_MS, 65 * TICK_MS, 2 * TICK_MS);
    s.response_drawn = 6 * TICK_S;
    strcpy(s.congestion, "bbr");
    s.memory = {8, SECURITY_VENCRYPT, VENCRYPT_X509_VNC, 800, 600, true, true, 3, 1 << 20};
    strcpy(s.name, "Gr\xc3\xbc\xc3\x9f"
                   "e");
    strcpy(s.rule, "beat");
    memcpy(static_cast<void *>(&before), &s, sizeof s);
    worker_stats_repair(&s, 8 * TICK_S);
    CHECK(memcmp(&before, &s, sizeof s) == 0);
}

TEST_CASE("worker: no byte of the figures can harm who reads them")
{
    for (int fill : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
        INFO(fill);
        static struct session_stats s;
        memset(static_cast<void *>(&s), fill, sizeof s);
        worker_stats_repair(&s, TICK_S);
        for (double n : {s.fps, s.prp_ms, s.rtt_ms, s.queue_ms, s.delivery_rate, s.busy,
                         s.answer_ms, s.decode_s, s.rtt_now_ms, s.response_ms, s.cpu_s,
                         s.meter.gaps.sum, s.meter.gaps.max}) {
            CHECK(std::isfinite(n));
            CHECK(n >= 0);
        }
        for (const bool *flag :
             {&s.pushed, &s.blocks, &s.datagrams, &s.film, &s.h264, &s.silent, &s.ticket_used,
              &s.preview, &s.rests, &s.recording, &s.played, &s.certificate, &s.fingerprinted,
              &s.accelerated, &s.key_codes, &s.more_buttons, &s.extended_clipboard, &s.memory.waits,
              &s.memory.hello_waits}) {
            uint8_t byte; // a bool may not be read before it is known to be one
            memcpy(&byte, flag, sizeof byte);
            CHECK(byte <= 1);
        }
        for (const char *text : {s.name, s.rule, s.quality_why, s.security, s.congestion})
            CHECK(is_sanitised(text));
        CHECK(strnlen(s.name, sizeof s.name) < sizeof s.name);
        CHECK(strnlen(s.rule, sizeof s.rule) < sizeof s.rule);
        CHECK((s.heard_at >= 0 && (s.heard_at <= TICK_S || s.heard_at == TICK_NEVER)));
        CHECK((s.elapsed >= 0 && s.elapsed <= TICK_S));
        CHECK((s.quality >= -1 && s.quality <= 9));
        CHECK((s.width >= 0 && s.width <= 8192));
        CHECK((s.memory.minor == 0 || (s.memory.width > 0 && s.memory.height > 0)));
        CHECK((s.memory.minor == 0 ||
               security_find(SECURITY_ALL, s.memory.security, s.memory.subtype)));
        CHECK(percentile_get(&s.meter.gaps, 0.5) >= 0);
        for (const encoding_weight &w : s.weights)
            CHECK((int64_t(w.rectangles) >= 0 && int64_t(w.bytes) >= 0));
        CHECK(response_parts_valid(&s.response));
        CHECK((s.response_drawn >= 0 &&
               (s.response_drawn <= TICK_S || s.response_drawn == TICK_NEVER)));
    }
}

TEST_CASE("worker: parts of a response that do not add up are none")
{
    struct session_stats s = {};
    response_parts_near(&s.response, 20 * TICK_MS, 65 * TICK_MS, 2 * TICK_MS);
    s.response.total++;
    worker_stats_repair(&s, TICK_S);
    CHECK(s.response.total == 0);
    response_parts_near(&s.response, 20 * TICK_MS, 65 * TICK_MS, 2 * TICK_MS);
    s.response.loss = std::nan("");
    worker_stats_repair(&s, TICK_S);
    CHECK(s.response.total == 0);
}
