/* ContinuousUpdates of the accelerator's own: what is said, and what is believed. */
#include <cstring>

#include "relay.hpp"
#include "rfb/proto/bytes.h"
#include "rfb/proto/message_types.h"
#include "tools/accelerator/exchange/own_push.h"

using namespace accelerator;

namespace
{

struct Push {
    own_push p = {};
    uint8_t out[OWN_PUSH_SAY_MAX];

    ~Push()
    {
        own_push_deinit(&p);
    }
    size_t say()
    {
        return own_push_say(&p, out);
    }
    /* The payload of the mark that is said now. */
    uint32_t mark()
    {
        REQUIRE(say() == FENCE_HEAD + 4);
        CHECK(out[0] == SERVER_FENCE);
        return get32(out + FENCE_HEAD);
    }
    void answer(uint32_t mark, size_t size = 4)
    {
        uint8_t payload[FENCE_MAX] = {};
        client_message m = {};
        put32(payload, mark);
        m.payload = payload;
        m.payload_size = size;
        CHECK(own_push_fence(&p, &m));
        CHECK(p.answers.size == 0);
    }
};

} // namespace

TEST_CASE("the offer is made once, a fence before the end")
{
    Push t;

    CHECK(t.say() == 0);
    own_push_offer(&t.p);
    CHECK(t.say() == FENCE_HEAD + 1);
    CHECK(t.out[0] == SERVER_FENCE);
    CHECK(t.out[FENCE_HEAD] == SERVER_END_OF_CONTINUOUS_UPDATES);
    own_push_offer(&t.p);
    CHECK(t.say() == 0);
}

TEST_CASE("a fence follows what has come, and its answer is counted")
{
    Push t;

    own_push_offer(&t.p);
    t.say();
    own_push_update(&t.p);
    CHECK(t.say() == 0); /* not switched on */
    t.p.on = true;
    CHECK(t.mark() == 1);
    CHECK(t.say() == 0);
    own_push_update(&t.p);
    own_push_update(&t.p);
    CHECK(t.mark() == 3);
    CHECK(own_push_unread(&t.p, 0) == 3);
    CHECK(own_push_unread(&t.p, 1) == 2);
    t.answer(1);
    CHECK(own_push_unread(&t.p, 0) == 2);
    t.answer(3);
    CHECK(own_push_unread(&t.p, 0) == 0);
    CHECK(own_push_unread(&t.p, 1) == 0);
}

TEST_CASE("answers to what was never asked count nothing")
{
    Push t;

    own_push_offer(&t.p);
    t.p.on = true;
    for (int i = 0; i < 5; i++)
        own_push_update(&t.p);
    t.say();
    t.answer(4);
    t.answer(6);
    t.answer(2);
    t.answer(0xffffffff);
    t.answer(5, 3);
    t.answer(5, 0);
    CHECK(own_push_unread(&t.p, 0) == 1);
}

TEST_CASE("the client's own fences are answered")
{
    Push t;
    const uint8_t payload[] = {1, 2, 3};
    client_message m = {};

    m.flags = FENCE_REQUEST | FENCE_BLOCK_BEFORE | FENCE_SYNC_NEXT;
    m.payload = payload;
    m.payload_size = sizeof payload;
    REQUIRE(own_push_fence(&t.p, &m));
    REQUIRE(t.p.answers.size == FENCE_HEAD + sizeof payload);
    const uint8_t *out = bytes_first(&t.p.answers);
    CHECK(get32(out + 4) == FENCE_BLOCK_BEFORE);
    CHECK(memcmp(out + FENCE_HEAD, payload, sizeof payload) == 0);
    own_push_mute(&t.p);
    REQUIRE(own_push_fence(&t.p, &m));
    CHECK(t.p.answers.size == 0); /* it could never be said */
}

TEST_CASE("a client that is pushed to is known by what it has read")
{
    Relay t;

    t.first_picture();
    relay_push(&t.r, true, SCREEN);
    unsigned sent = 0;
    for (; t.act() == RELAY_ASK && sent < 1000; sent++) {
        t.update_comes();
        t.leaves();
    }
    CHECK(sent + 1 == GATEWAY_LINK_LEAST); /* and the first picture */
    CHECK_FALSE(t.client_asks(true));      /* no request counts */
    CHECK(t.next() == RELAY_WAIT);
    t.now += 10 * TICK_S; /* and no silence makes it one with its own pace */
    CHECK(t.next() == RELAY_WAIT);
    relay_client_has_read(&t.r, GATEWAY_LINK_LEAST - 1, t.now);
    CHECK(t.next() == RELAY_ASK);
    CHECK_FALSE(t.r.own_pace);
    relay_push(&t.r, false, SCREEN);
    CHECK(t.next() == RELAY_WAIT);
    CHECK_FALSE(relay_owes(&t.r));
    relay_push(&t.r, true, {0, 0, 2000, 2000});
    CHECK(t.next() == RELAY_ASK);
    CHECK(t.r.region.w == 800);
}
