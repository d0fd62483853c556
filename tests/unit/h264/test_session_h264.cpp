// A session whose server sends Open H.264: what is offered when, what is asked for again, what is
// counted, and what a refresh without loss makes of it.
#include "tests/h264_stream.hpp"

#include <sys/socket.h>
#include <turbojpeg.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "rfb/film/decoder.h"
#include "rfb/net/sockets/socket.h"
#include "rfb/session/pacing/pacing.h"
#include "rfb/session/pacing/preferences.h"
#include "rfb/session/pictures/messages.h"
#include "tests/decoder_elsewhere.hpp"
#include "tests/unit/session_blocks.hpp"

using namespace peer;

namespace
{

const int W = 64, H = 48; // of let_in()
const std::string BELL(1, '\2');
const std::string TEXT("\3\0\0\0\0\0\0\1x", 9);

std::vector<int32_t> listed(const client_message &m)
{
    std::vector<int32_t> all;
    for (unsigned i = 0; i < m.encodings; i++)
        all.push_back(client_message_encoding(&m, i));
    return all;
}

bool has(const std::vector<int32_t> &all, int32_t number)
{
    return std::find(all.begin(), all.end(), number) != all.end();
}

// All messages in `bytes`, which are whole.
template <typename Each> void each_message(const std::string &bytes, Each each)
{
    for (size_t at = 0; at < bytes.size();) {
        client_message m;
        size_t count;
        reason why;
        REQUIRE(client_message_read(reinterpret_cast<const uint8_t *>(bytes.data()) + at,
                                    bytes.size() - at, false, &m, &count, &why) == MESSAGE_WHOLE);
        each(m);
        at += count;
    }
}

// The next message, and what it says.
struct Said {
    Peer &p;
    client_message m = {};
    std::string bytes = {};

    uint8_t next()
    {
        size_t count = 1;
        reason why;
        bytes = p.read(1);
        while (client_message_read(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size(),
                                   false, &m, &count, &why) == MESSAGE_PARTIAL)
            bytes += p.read(count);
        return uint8_t(m.type);
    }
    std::vector<int32_t> encodings()
    {
        while (next() != CLIENT_SET_ENCODINGS)
            ;
        return listed(m);
    }
    bool request() // whether it is incremental
    {
        while (next() != CLIENT_UPDATE_REQUEST)
            ;
        return bytes[1] != 0;
    }
};

std::string h264_update(const std::string &stream, uint32_t flags = 0)
{
    return h264::update(0, 0, W, H, ENCODING_H264, h264::body(stream, flags));
}

// The same as JPEG in Tight.
std::string jpeg_update(const h264::Image &i)
{
    tjhandle to = tjInitCompress();
    unsigned char *file = nullptr;
    unsigned long size = 0;
    auto *pixels = reinterpret_cast<unsigned char *>(const_cast<uint32_t *>(i.pixels.data()));
    tjCompress2(to, pixels, i.w, 0, i.h, TJPF_BGRX, &file, &size, TJSAMP_420, 50, 0);
    std::string all = {char(0x90), char((size & 0x7f) | 0x80), char(size >> 7 & 0x7f)};
    all.append(reinterpret_cast<char *>(file), size);
    tjFree(file);
    tjDestroy(to);
    return h264::update(0, 0, i.w, i.h, ENCODING_TIGHT, all);
}

session_options lossy_options(const Server &server)
{
    session_options o = options_for(server, false);
    film_decoder_load();
    REQUIRE(film_decoder_works());
    o.encodings.jpeg = true;
    o.encodings.quality = 6;
    return o;
}

double good(Owner &owner, const h264::Image &image)
{
    Picture p = seen(owner);
    h264::Image out(p.w, p.h);
    std::transform(p.pixels.begin(), p.pixels.end(), out.pixels.begin(),
                   [](uint32_t c) { return c & 0xffffff; });
    return h264::psnr(out, image);
}

// A pace with time of its own.
struct Pace {
    pacing *p;
    tick_t now = 1000 * TICK_S;
    pacing_bytes bytes = {};
    std::vector<int32_t> told; // by the newest SetEncodings
    unsigned tellings = 0, slices = 0;

    Pace()
    {
        pacing_options o = {};
        reason why = {};
        uint8_t setup[PACING_SETUP_MAX];
        REQUIRE(encoding_list_parse(&o.encodings.list, ENCODINGS_DEFAULT, &why));
        o.encodings.quality = o.encodings.compress = LEVEL_AUTO;
        o.encodings.jpeg = true;
        o.scheduler.policy = PRP_AUTO;
        o.scheduler.lossless_refresh = true;
        p = pacing_create(&o);
        take(
            std::string(reinterpret_cast<char *>(setup), pacing_write_setup(p, setup, false, now)));
        pacing_new_picture(p, W, H, true, now);
    }
    ~Pace()
    {
        pacing_destroy(p);
    }
    void take(const std::string &written)
    {
        each_message(written, [&](const client_message &m) {
            if (m.type == CLIENT_SET_ENCODINGS) {
                told = listed(m);
                tellings++;
            }
        });
        for (size_t at = 0; at + 1 < written.size(); at++)
            if (written[at] == CLIENT_UPDATE_REQUEST && written.size() - at == 10)
                slices += written[at + 1] == 0;
    }
    void write()
    {
        uint8_t out[PACING_WRITE_MAX];
        pacing_turn turn = {true, false};
        take(std::string(reinterpret_cast<char *>(out), pacing_write(p, out, &turn, now)));
    }
    void picture(int32_t encoding, bool loss)
    {
        const char *why;
        pacing_begun(p, &bytes, now);
        pacing_drawn(p, {0, 0, W, H}, encoding, loss, false, now);
        pacing_shown(p, &bytes, true, now, &why);
        write();
    }
    void rest(tick_t time)
    {
        for (tick_t end = now + time; now < end;) {
            now = std::max(now + TICK_MS, pacing_sleep(p, end, now));
            write();
        }
    }
    void move(int pictures, int32_t encoding, bool loss)
    {
        for (int i = 0; i < pictures; i++) {
            now += 33 * TICK_MS;
            picture(encoding, loss);
        }
    }
};

} // namespace

TEST_CASE("h264: it is offered before Tight, shown, named and counted")
{
    std::vector<int32_t> offered;
    std::string stream;
    {
        Server server([&](Peer &p) {
            Said said{p};
            h264::Coder c(W, H);
            begin(p);
            offered = said.encodings();
            said.request();
            for (int i = 0; i < 3; i++) {
                stream += c.code(h264::picture(i, W, H));
                p.write(h264_update(stream));
                stream.clear();
            }
            p.write(BELL);
            p.read_rest();
        });
        Owner owner(lossy_options(server), {}, "", 0, "h264,tight,raw");
        owner.connected();
        wait_for(owner, SESSION_BELL);
        CHECK(good(owner, h264::picture(2, W, H)) > 32);
        struct session_stats s = figures(owner);
        CHECK(s.encodings_seen == 1u << encoding_row(ENCODING_H264));
        CHECK(s.h264);
        CHECK(s.weights[encoding_row(ENCODING_H264)].rectangles == 3);
        CHECK(s.weights[encoding_row(ENCODING_H264)].bytes > 3 * 8 + 100);
        CHECK(s.weights[encoding_row(ENCODING_TIGHT)].bytes == 0);
    }
    REQUIRE(offered.size() > 3);
    // before what other servers take at once: compression, this one, Tight, the form of updates
    CHECK(std::vector<int32_t>(offered.begin() + 1, offered.begin() + 4) ==
          std::vector<int32_t>{ENCODING_H264, ENCODING_TIGHT, PSEUDO_LAST_RECT});
}

TEST_CASE("h264: it is not offered where all is to be exact")
{
    std::vector<int32_t> offered;
    {
        Server server([&](Peer &p) {
            Said said{p};
            begin(p);
            offered = said.encodings();
            p.write(h264_update("x"));
            p.read_rest();
        });
        session_options o = lossy_options(server);
        o.encodings.jpeg = false;
        Owner owner(o, {}, "", 0, "h264,tight,raw");
        owner.connected();
        CHECK(owner.closed().find("encoding 50, which was not offered") != std::string::npos);
    }
    CHECK_FALSE(has(offered, ENCODING_H264));
    CHECK(has(offered, ENCODING_TIGHT));
}

TEST_CASE("h264: for what is broken all of the picture is asked for, and the session goes on")
{
    bool first = true, again = true, then = false;
    {
        Server server([&](Peer &p) {
            Said said{p};
            h264::Coder c(W, H);
            begin(p);
            said.encodings();
            first = said.request();
            p.write(h264_update(c.code(h264::picture(0, W, H))));
            said.request(); // the next one
            p.write(h264_update(c.code(h264::picture(1, W, H)).substr(0, 12)));
            again = said.request();
            p.write(h264_update(c.code(h264::picture(2, W, H))));
            p.write(h264_update(c.code(h264::picture(3, W, H), true)));
            then = said.request();
            p.write(BELL);
            p.read_rest();
        });
        Owner owner(lossy_options(server), {}, "", 0, "h264,tight,raw");
        owner.connected();
        wait_for(owner, SESSION_BELL);
        CHECK(good(owner, h264::picture(3, W, H)) > 32);
    }
    CHECK_FALSE(first);
    CHECK_FALSE(again);
    CHECK(then);
}

TEST_CASE("h264: what cannot be read is named once, counted, and not offered any more")
{
    std::vector<int32_t> before, after;
    {
        Server server([&](Peer &p) {
            Said said{p};
            const auto deep = h264::grey(W, H, X264_CSP_I420, 10, 1, 3);
            begin(p);
            before = said.encodings();
            said.request();
            for (const std::string &stream : deep)
                p.write(h264_update(stream));
            after = said.encodings();
            while (said.request())
                ;
            p.write(jpeg_update(h264::picture(1, W, H)));
            p.write(h264_update(h264::Coder(W, H).code(h264::picture(2, W, H)))); // on its way
            p.write(BELL);
            p.read_rest();
        });
        Owner owner(lossy_options(server), {}, "", 0, "h264,tight,raw");
        owner.connected();
        Event e = owner.next();
        while (e->type != SESSION_NOTICE)
            e = owner.next();
        CHECK(text(e) ==
              "the server's H.264 cannot be shown: its pixels have more than 8 bits, or are RGB; "
              "it is asked for other encodings");
        wait_for(owner, SESSION_BELL);
        CHECK(good(owner, h264::picture(2, W, H)) > 32);
        CHECK(figures(owner).h264_unread == 3);
    }
    CHECK(has(before, ENCODING_H264));
    CHECK_FALSE(has(after, ENCODING_H264));
    CHECK(has(after, ENCODING_TIGHT));
}

TEST_CASE("h264: a session whose decoder has ended says so, and goes on without H.264")
{
    std::vector<int32_t> after;
    DecoderElsewhere there;
    {
        Server server([&](Peer &p) {
            Said said{p};
            h264::Coder c(W, H);
            begin(p);
            said.request();
            p.write(h264_update(c.code(h264::picture(0, W, H))) + BELL);
            while (said.next() != CLIENT_KEY)
                ;
            p.write(h264_update(c.code(h264::picture(1, W, H))));
            after = said.encodings();
            while (said.request())
                ;
            p.write(jpeg_update(h264::picture(2, W, H)) + TEXT);
            p.read_rest();
        });
        Owner owner(lossy_options(server), {}, "", 0, "h264,tight,raw");
        owner.connected();
        wait_for(owner, SESSION_BELL);
        CHECK(good(owner, h264::picture(0, W, H)) > 32);
        there.end();
        session_send_key(owner, 'a', true);
        Event e = owner.next();
        while (e->type != SESSION_NOTICE)
            e = owner.next();
        CHECK(text(e) == "the server's H.264 cannot be shown: what decodes it has ended, or cannot "
                         "be loaded or confined; it is asked for other encodings");
        wait_for(owner, SESSION_CUT_TEXT);
        CHECK(good(owner, h264::picture(2, W, H)) > 25); // a JPEG
    }
    CHECK_FALSE(has(after, ENCODING_H264));
    CHECK(has(after, ENCODING_TIGHT));
}

TEST_CASE("h264: for an exact picture it is not offered for so long")
{
    Pace pace;
    pace.write();
    CHECK(has(pace.told, ENCODING_H264));
    pace.move(60, ENCODING_H264, true);
    CHECK(has(pace.told, ENCODING_H264));
    unsigned asked = pace.slices;
    pace.rest(2 * TICK_S);
    CHECK(pace.slices > asked);
    CHECK_FALSE(has(pace.told, ENCODING_H264));
    CHECK(has(pace.told, ENCODING_TIGHT));
    pace.move(1, ENCODING_TIGHT, false); // the answer
    pace.rest(2 * TICK_S);
    pace.move(2, ENCODING_TIGHT, false);
    CHECK(has(pace.told, ENCODING_H264));
}

TEST_CASE("h264: video of a server without screens is not asked for again, and stays offered")
{
    Pace pace;
    pace.write();
    pace.move(60, ENCODING_H264, false);
    unsigned tellings = pace.tellings, asked = pace.slices;
    pace.rest(5 * TICK_S);
    CHECK(pace.slices == asked);
    CHECK(pace.tellings == tellings);
}

TEST_CASE("h264: a level of quality changes in large steps only, for each begins a new stream")
{
    scheduler s;
    scheduler_options options = {};
    push no_push;
    encoding_options o;
    preferences p = {};
    uint8_t out[CLIENT_WRITE_MAX];
    options.policy = PRP_AUTO;
    scheduler_init(&s, &options);
    push_init(&no_push, false);
    p.wished.jpeg = true;
    p.wished.quality = p.wished.compress = LEVEL_AUTO;
    preferences_write(&p, &s, &no_push, false, out, 0);
    const int now = p.told.quality;
    for (int level = 0; level <= 9; level++) {
        p.told.quality = level;
        p.h264 = true;
        preferences_now(&p, &s, &no_push, 0, &o);
        CHECK(o.quality == (std::abs(level - now) < 3 ? level : now));
        p.h264 = false;
        preferences_now(&p, &s, &no_push, 0, &o);
        CHECK(o.quality == now);
    }
}

TEST_CASE("h264: what comes of a server with screens is lossy, of another one it is video")
{
    const bool screens = GENERATE(false, true);
    const bool jpeg = GENERATE(false, true); // comes behind it
    const std::string told = h264::update(0, 0, W, H, PSEUDO_EXTENDED_DESKTOP_SIZE,
                                          std::string("\1\0\0\0", 4) + std::string(8, '\0') +
                                              h264::u16(W) + h264::u16(H) + std::string(4, '\0'));
    h264::Coder c(W, H);
    const std::string sent = (screens ? told : "") + h264_update(c.code(h264::picture(0, W, H))) +
                             (jpeg ? jpeg_update(h264::picture(0, W, H)) : "") + BELL;
    int ends[2];
    bool loss = false, over = false;
    film_decoder_load();
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    REQUIRE(write(ends[1], sent.data(), sent.size()) == ssize_t(sent.size()));
    stream *from = stream_create(socket_adopt(ends[0]));
    framebuffer *fb = framebuffer_create(-1);
    encoding_options offered = {};
    source s = {};
    reason why = {};
    REQUIRE(encoding_list_parse(&offered.list, "h264,tight", &why));
    REQUIRE(message_source_open(&s, from, fb, &offered, W, H, &why));
    struct Seen {
        bool &loss, &over;
    } seen = {loss, over};
    source_handlers h = {};
    h.user = &seen;
    h.begun = [](void *) { return true; };
    h.ended = h.update_begun = [](void *) {};
    h.shown = [](void *, bool) {};
    h.screens = [](void *, const screen_layout *) {};
    h.drawn = [](void *user, rect, int32_t, bool lossy) {
        static_cast<Seen *>(user)->loss = lossy;
        return true;
    };
    h.bell = [](void *user) { static_cast<Seen *>(user)->over = true; };
    while (!over)
        REQUIRE(s.receive(s.self, &h, &why));
    CHECK(loss == screens);
    s.destroy(s.self);
    stream_destroy(from);
    framebuffer_destroy(fb);
    close(ends[1]);
}
