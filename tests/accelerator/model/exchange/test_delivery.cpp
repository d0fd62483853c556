// What waits for a client: which of it may leave, and how fast it leaves, under a fake clock.
#include <string>

#include "tests/catch.hpp"
#include "tools/accelerator/exchange/delivery.h"

namespace
{

struct Delivery {
    delivery d = {};
    tick_t now = TICK_S;

    explicit Delivery(bool whole = false)
    {
        delivery_init(&d, whole, 1000);
    }
    ~Delivery()
    {
        delivery_deinit(&d);
    }
    Delivery(const Delivery &) = delete;
    Delivery &operator=(const Delivery &) = delete;

    void comes(size_t size)
    {
        REQUIRE(delivery_add(&d, std::string(size, 'x').data(), size, now));
    }
    void ends()
    {
        delivery_message_ends(&d, d.come);
    }
    size_t ready()
    {
        return delivery_ready(&d);
    }
    void leaves(size_t size)
    {
        delivery_left(&d, size, now);
    }
};

} // namespace

TEST_CASE("at once: all that has come may leave", "[delivery]")
{
    Delivery t;

    CHECK(t.ready() == 0);
    t.comes(700);
    CHECK(t.ready() == 700);
    t.leaves(500);
    CHECK(t.ready() == 200);
}

TEST_CASE("whole: a message leaves when its last byte has come", "[delivery]")
{
    Delivery t(true);

    t.comes(700);
    CHECK(t.ready() == 0);
    t.comes(100);
    t.ends();
    t.comes(100);
    CHECK(t.ready() == 800);
    t.leaves(300);
    CHECK(t.ready() == 500);
    t.leaves(500);
    CHECK(t.ready() == 0); /* the next one has begun */
    delivery_end(&t.d);
    CHECK(t.ready() == 100); /* its end will never be known */
}

TEST_CASE("whole: a message that does not fit leaves as it comes, up to its end", "[delivery]")
{
    Delivery t(true);

    t.comes(300);
    t.ends();
    t.comes(700);
    /* what is full of whole messages makes room by them */
    CHECK(t.ready() == 300);
    t.leaves(200);
    CHECK(t.ready() == 100);
    t.comes(200);
    t.leaves(100);
    CHECK(t.ready() == 0);
    t.comes(100);
    CHECK(t.ready() == 1000);
    t.leaves(1000);
    t.comes(10);
    CHECK(t.ready() == 10);
    t.comes(90);
    t.ends();
    t.comes(100);
    t.leaves(10);
    CHECK(t.ready() == 90);
    t.leaves(90);
    CHECK(t.ready() == 0);
}

TEST_CASE("what leaves is measured while something waits", "[delivery]")
{
    Delivery t;

    t.comes(300000);
    t.leaves(50000); // what fits into the socket at once says nothing
    CHECK(t.d.rate == 0);
    t.now += 4 * TICK_MS; // nor does a single write
    t.leaves(40000);
    CHECK(t.d.rate == 0);
    t.now += 16 * TICK_MS;
    t.leaves(210000);
    CHECK(t.d.rate == Approx(1.25e7));
    t.comes(50000);
    t.now = 10 * TICK_S;
    t.leaves(50000); // nothing has waited meanwhile
    CHECK(t.d.rate == Approx(1.25e7));
}

TEST_CASE("a slower path is found out while bytes wait", "[delivery]")
{
    Delivery t;

    t.d.rate = 1e7;
    t.comes(1000000);
    for (int i = 0; i < 20; i++) {
        t.leaves(10000);
        t.now += 10 * TICK_MS;
    }
    CHECK(t.d.rate > 0.99e6);
    CHECK(t.d.rate < 1.2e6);
}
