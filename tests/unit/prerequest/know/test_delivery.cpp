// What the path delivers, from updates and pieces of known rates.
#include "tests/catch.hpp"

#include "prerequest/know/delivery.h"

TEST_CASE("the delivery rate is the bytes of an update per time")
{
    delivery d{};

    CHECK(delivery_best(&d) == 0);
    delivery_update(&d, 100000, 10e6, false); // 100 kB in 10 ms
    CHECK(d.rate == Approx(10e6));
}

TEST_CASE("after a pause the first packet does not count")
{
    delivery d{};

    delivery_update(&d, 101460, 10e6, true); // 1460 of them began the measurement
    CHECK(d.rate == Approx(10e6));
}

TEST_CASE("the newest update has a fifth of the delivery rate")
{
    delivery d{};

    delivery_update(&d, 100000, 10e6, false); // 10 MB/s
    delivery_update(&d, 200000, 10e6, false); // 20 MB/s
    CHECK(d.rate == Approx(12e6));            // 10 + 0.2 x (20 - 10)
    delivery_update(&d, 20000, 10e6, false);  // 2 MB/s
    CHECK(d.rate == Approx(10e6));            // 12 + 0.2 x (2 - 12)
}

TEST_CASE("an update of less than 2000 bytes, or of no time, tells no delivery rate")
{
    for (double before : {0.0, 5e6}) {
        delivery d{};

        delivery_change(&d, before);
        delivery_update(&d, 1999, 1e6, false);
        delivery_update(&d, 1, 1e6, true); // less than the packet that does not count
        delivery_update(&d, 100000, 0, false);
        delivery_update(&d, 100000, -1e6, false);
        CHECK(d.rate == before);
    }
    delivery d{};
    delivery_update(&d, 2000, 1e6, false); // in 1 ms
    CHECK(d.rate == Approx(2e6));
}

TEST_CASE("the fastest piece is remembered, and half of it is gone after 13 slower ones")
{
    delivery d{};

    delivery_piece(&d, 4e6);
    delivery_piece(&d, 10e6);
    CHECK(delivery_best(&d) == Approx(10e6));
    for (int i = 0; i < 13; i++)
        delivery_piece(&d, 1e6);
    CHECK(delivery_best(&d) == Approx(10e6 * 0.5133).epsilon(0.001)); // 0.95 to the 13th
    for (int i = 0; i < 100; i++)
        delivery_piece(&d, 1e6);
    CHECK(delivery_best(&d) == Approx(1e6)); // but no less than what comes now
}

TEST_CASE("the best is the larger one of the delivery rate and the fastest piece")
{
    delivery d{};

    delivery_update(&d, 100000, 10e6, false);
    delivery_piece(&d, 3e6);
    CHECK(delivery_best(&d) == Approx(10e6));
    delivery_piece(&d, 30e6);
    CHECK(delivery_best(&d) == Approx(30e6));
}

TEST_CASE("a change of the delivery rate counts at once, and leaves the fastest piece")
{
    delivery d{};

    delivery_update(&d, 100000, 10e6, false);
    delivery_piece(&d, 20e6);
    delivery_change(&d, 1e6);
    CHECK(d.rate == 1e6);
    CHECK(delivery_best(&d) == Approx(20e6));
}

TEST_CASE("a packet takes 1460 bytes per delivery rate")
{
    delivery d{};

    CHECK(delivery_packet_time(&d) == 0); // not known
    delivery_change(&d, 1.46e6);
    CHECK(delivery_packet_time(&d) == Approx(1e6)); // 1 ms
}
