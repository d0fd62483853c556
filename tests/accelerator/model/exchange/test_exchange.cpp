// Both directions of a connection, without a socket: what the server is told and asked, what the
// client gets, and what follows for who owns the connection.
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tools/accelerator/exchange/exchange.h"

namespace
{

constexpr int WIDTH = 16, HEIGHT = 8;

std::string number(uint32_t n, int bytes)
{
    std::string out;
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8)
        out += static_cast<char>(n >> shift);
    return out;
}

std::string request(bool incremental)
{
    uint8_t message[CLIENT_WRITE_MAX];
    size_t size = client_write_update_request(message, incremental, {0, 0, WIDTH, HEIGHT});
    return std::string(reinterpret_cast<char *>(message), size);
}

std::string set_format(const pixel_format &format)
{
    uint8_t message[CLIENT_WRITE_MAX];
    size_t size = client_write_set_pixel_format(message, &format);
    return std::string(reinterpret_cast<char *>(message), size);
}

std::string set_encodings(const std::vector<int32_t> &encodings)
{
    std::string out = number(2, 1) + number(0, 1) + number(uint32_t(encodings.size()), 2);
    for (int32_t encoding : encodings)
        out += number(static_cast<uint32_t>(encoding), 4);
    return out;
}

/* An update with one raw rectangle of the whole screen. */
std::string update(int bytes_per_pixel = 4, int32_t encoding = 0)
{
    return number(0, 2) + number(1, 2) + number(0, 4) + number(WIDTH, 2) + number(HEIGHT, 2) +
           number(static_cast<uint32_t>(encoding), 4) +
           std::string(static_cast<size_t>(bytes_per_pixel) * WIDTH * HEIGHT, 'p');
}

const std::string KEY("\4\1\0\0\0\0\0a", 8);

struct Exchange {
    flight path = {};
    exchange x;
    exchange_news news = {};
    tick_t now = TICK_S;

    explicit Exchange(bool accelerate = true)
    {
        flight_init(&path);
        exchange_init(&x, &path, false, 100000, CONTINUOUS_OWN);
        exchange_begin(&x, &pixel_format_xrgb, WIDTH, HEIGHT, accelerate, "bbr");
    }
    ~Exchange()
    {
        exchange_deinit(&x);
    }
    Exchange(const Exchange &) = delete;
    Exchange &operator=(const Exchange &) = delete;

    void server(const std::string &said)
    {
        exchange_from_server(&x, reinterpret_cast<const uint8_t *>(said.data()), said.size(), now,
                             &news);
    }
    void client(const std::string &said)
    {
        REQUIRE(bytes_append(&x.up.in, said.data(), said.size()));
        exchange_from_client(&x, now, &news);
    }
    /* What the server is told, with all that is due. */
    std::string told()
    {
        exchange_say(&x, now, &news);
        exchange_ask(&x, now, &news);
        std::string out(reinterpret_cast<const char *>(bytes_first(&x.up.out)), x.up.out.size);
        bytes_take(&x.up.out, x.up.out.size);
        return out;
    }
    /* What the client gets. */
    std::string hears()
    {
        std::string out;
        exchange_say(&x, now, &news);
        while (size_t size = delivery_ready(&x.down.out)) {
            iovec piece;
            REQUIRE(backlog_pieces(&x.down.out.held, size, &piece, 1) == 1);
            out.append(static_cast<char *>(piece.iov_base), piece.iov_len);
            down_left(&x.down, piece.iov_len, now);
        }
        return out;
    }
    /* How much the client gets. */
    size_t gets()
    {
        size_t size = delivery_ready(&x.down.out);
        down_left(&x.down, size, now);
        return size;
    }
};

} // namespace

TEST_CASE("the server is asked for the next update when one has come", "[exchange]")
{
    Exchange t;

    t.client(request(false));
    CHECK(t.news.in_use);
    CHECK(t.news.requests == 1);
    CHECK(t.told() == request(false));
    t.server(update());
    CHECK(t.gets() == update().size());
    CHECK(t.told() == request(true)); // the client has said nothing
    t.client(request(true));
    CHECK(t.told().empty()); // its own is not passed on
    CHECK(t.news.asked == 1);
    CHECK(t.x.down.updates == 1);
}

TEST_CASE("a key or a button that is pressed is noticed, and mere motion is not", "[exchange]")
{
    const struct {
        std::string said;
        bool press;
    } steps[] = {{KEY, true},
                 {std::string("\4\0\0\0\0\0\0a", 8), false}, // released
                 {std::string("\5\0\0\1\0\1", 6), false},    // the pointer moves
                 {std::string("\5\1\0\1\0\1", 6), true},     // a button down,
                 {std::string("\5\1\0\2\0\2", 6), false},    // dragged,
                 {std::string("\5\0\0\2\0\2", 6), true},     // and released
                 {std::string("\xff\0\0\1\0\0\0a\0\0\0\x1e", 12), true}};
    Exchange t;

    for (const auto &step : steps) {
        t.now += TICK_S;
        t.client(step.said);
        CHECK((t.x.relay.input_at == t.now) == step.press);
        CHECK(t.told() == step.said);
    }
}

TEST_CASE("a plain proxy passes requests on", "[exchange]")
{
    Exchange t(false);

    t.client(request(false));
    t.server(update());
    t.client(request(true));
    CHECK(t.told() == request(false) + request(true));
    CHECK(t.news.asked == 0);
}

TEST_CASE("with the paper's algorithm the client's newest request is sent again", "[exchange]")
{
    Exchange t;

    exchange_follow_paper(&t.x);
    t.client(request(false));
    CHECK(t.told() == request(false));
    CHECK(t.told().empty());
    t.server(update());
    CHECK(t.told().empty()); // it has not left
    CHECK(t.gets() == update().size());
    CHECK(t.told() == request(false)); // the client has said nothing else
    t.client(request(true));
    t.now += TICK_S;
    CHECK(t.told().empty()); // one at a time, and once
    t.server(update());
    t.gets();
    CHECK(t.told() == request(true));
    CHECK(t.news.asked == 3);
}

TEST_CASE("with the paper's algorithm there are no ContinuousUpdates", "[exchange]")
{
    Exchange t;

    exchange_follow_paper(&t.x);
    t.client(set_encodings({0, PSEUDO_FENCE, PSEUDO_CONTINUOUS_UPDATES}) + request(false));
    CHECK(t.told() == set_encodings({0}) + request(false));
    CHECK(t.hears().empty()); // they are not offered
}

TEST_CASE("a new pixel format waits for the end of an update, and keys do not", "[exchange]")
{
    Exchange t;
    const pixel_format small = {16, 16, false, true, {31, 63, 31}, {11, 5, 0}};

    t.client(request(false));
    t.told();
    t.server(update().substr(0, 20));
    t.client(set_format(small) + KEY);
    CHECK(t.told() == KEY);
    t.server(update().substr(20));
    t.gets();
    CHECK(t.told() == set_format(small) + request(true));
    t.server(update(2) + update(2));
    CHECK(t.news.server_lost == nullptr);
    CHECK(t.x.down.waiting == 2);
    t.gets();
    CHECK(t.x.down.updates == 3);
}

TEST_CASE("where the server says something unknown the client is on its own", "[exchange]")
{
    Exchange t;

    t.client(request(false));
    t.told();
    t.server(update());
    t.gets();
    t.told();
    t.server(update());
    t.client(request(true)); // not passed on
    t.client(request(true));
    t.server(update(4, 4711));
    CHECK(t.news.server_lost);
    CHECK(t.told() == request(true)); // what it was owed
    t.client(request(true));
    CHECK(t.told() == request(true));
}

TEST_CASE("where the client says something unknown it is passed on", "[exchange]")
{
    Exchange t;
    std::string unknown("\xfe\xfe\xfe", 3);

    t.client(request(false) + unknown);
    CHECK(t.news.client_lost);
    CHECK_FALSE(t.news.unfit);
    CHECK(t.told() == request(false) + unknown);
    t.client("more");
    CHECK(t.told() == "more");
}

TEST_CASE("what a client is answered waits for the end of an update", "[exchange]")
{
    Exchange t;
    uint8_t fence[CLIENT_WRITE_MAX];
    size_t size = client_write_fence(fence, FENCE_REQUEST, nullptr, 0);

    t.client(std::string("\2\0\0\2", 4) + number(static_cast<uint32_t>(PSEUDO_FENCE), 4) +
             number(static_cast<uint32_t>(PSEUDO_CONTINUOUS_UPDATES), 4));
    t.client(request(false));
    CHECK(t.told() == std::string("\2\0\0\0", 4) + request(false)); // the server knows of neither
    size_t offer = t.gets();
    CHECK(offer > 0);
    t.server(update().substr(0, 20));
    t.client(std::string(reinterpret_cast<char *>(fence), size));
    t.told();
    CHECK(t.gets() == 20);
    t.server(update().substr(20));
    t.told();
    CHECK(t.gets() > update().size() - 20);
}

TEST_CASE("an accelerator shows itself once, behind the first update, to who knows of accelerators")
{
    uint8_t shown[ACCELERATOR_UPDATE_MAX];
    const accelerator_shown bbr = {"bbr", 0, 0, false, false, 0, {}, {}, false, {}, 0, {}};
    std::string shows(reinterpret_cast<char *>(shown), server_write_accelerator(shown, &bbr));
    Exchange t;

    t.client(set_encodings({0, PSEUDO_ACCELERATOR}) + request(false));
    CHECK(t.told() == set_encodings({0}) + request(false)); // the server is not to know
    CHECK(t.hears().empty());
    t.server(update().substr(0, 30));
    CHECK(t.hears() == update().substr(0, 30));
    t.server(update().substr(30));
    CHECK(t.hears() == update().substr(30) + shows);
    t.client(set_encodings({0, PSEUDO_ACCELERATOR}));
    t.server(update());
    CHECK(t.hears() == update());
    CHECK(t.x.down.updates == 2);
}

TEST_CASE("an accelerator does not show itself to others, nor where it only passes on")
{
    Exchange other, plain(false);

    other.client(set_encodings({0, PSEUDO_SERVER_IDENTITY}) + request(false));
    other.server(update());
    CHECK(other.hears() == update());
    plain.client(set_encodings({0, PSEUDO_ACCELERATOR}) + request(false));
    plain.server(update());
    CHECK(plain.hears() == update());
}
