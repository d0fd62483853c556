// A session whose far end sends a film: what it shows, and what it asks for where that is broken.
#include "tests/catch.hpp"

#include <memory>
#include <string>

#include "rfb/film/coded_frames.h"
#include "rfb/film/decoder.h"
#include "rfb/film/encoder.h"
#include "rfb/film/frame_part.h"
#include "tests/expect.hpp"
#include "tests/unit/session_blocks.hpp"
#include "tests/unit/shown_picture.hpp"

using namespace peer;

namespace
{

const std::string BELL(1, '\2');
const std::string TEXT("\3\0\0\0\0\0\0\1x", 9);
const int W = 64, H = 48; // of let_in()
const rect ALL = {0, 0, W, H};

std::string shows()
{
    accelerator_shown shown = {"bbr", 1, 1, false, false, 0, {}, {}, false, {}, 0, {}};
    return written([&](uint8_t *o) { return server_write_accelerator(o, &shown); });
}

// Frames of one colour each, as messages.
class Film
{
  public:
    ~Film()
    {
        film_encoder_destroy(encoder_);
        film_picture_deinit(&picture_);
    }
    std::string frame(uint32_t colour, bool key, bool breaks = false)
    {
        const Picture p(W, H, colour);
        film_demand d{};
        film_coded coded{};
        d.number = number_++;
        d.key = key;
        d.bytes = 600;
        d.fps = 30;
        EXPECT(film_picture_take(&picture_, p.pixels.data(), W, W, H));
        EXPECT(film_encode(encoder_, &picture_, &d, &coded));
        std::string bytes = std::string(1, char(W / 16 * H / 16)) + // it shows all cells
                            std::string(reinterpret_cast<const char *>(coded.bytes), coded.size);
        if (breaks)
            bytes.resize(8);
        sequence_ += 2;
        return part(bytes, key ? 0 : 2);
    }
    uint32_t sequence() const
    {
        return sequence_;
    }

  private:
    std::string part(const std::string &frame, unsigned before) const
    {
        uint8_t payload[BLOCK_PAYLOAD_MAX], wire[BLOCK_MAX];
        frame_part f{};
        block b{};
        f.id = sequence_ - 1;
        f.before = before;
        f.frame = frame.size();
        f.count = 1;
        f.bytes = reinterpret_cast<const uint8_t *>(frame.data());
        b.codec = BLOCK_FILM;
        b.sequence = sequence_;
        b.area = ALL;
        b.size = frame_part_write(payload, &f);
        b.payload = payload;
        return message(std::string(reinterpret_cast<char *>(wire), block_pack(&b, wire)), true);
    }

    film_encoder *encoder_ = film_encoder_create();
    film_picture picture_{};
    int64_t number_ = 0;
    uint32_t sequence_ = 0;
};

session_options takes_film(const Server &server)
{
    session_options o = options_for(server);
    o.encodings.jpeg = true;
    o.encodings.quality = LEVEL_AUTO;
    return o;
}

bool near_to(const Picture &p, uint32_t colour)
{
    for (uint32_t c : p.pixels)
        for (int k = 0; k < 24; k += 8)
            if (std::abs(int(c >> k & 255) - int(colour >> k & 255)) > 6)
                return false;
    return true;
}

bool has_both()
{
    film_decoder_load();
    bool both = film_encoder_works() && film_decoder_works();
    if (!both)
        WARN("built without an encoder or decoder of H.264");
    return both;
}

} // namespace

TEST_CASE("session: a film is drawn, and what is broken in it is asked for again, once")
{
    if (!has_both())
        return;
    unsigned asked_whole = 1, asked_broken = 0, asked_after = 0;
    {
        Server server([&](Peer &p) {
            Heard heard(p);
            Film film;
            begin(p);
            heard.until(CLIENT_SET_ENCODINGS);
            p.write(shows());
            while (heard.wishes == 0)
                heard.next();
            heard.requests = 0;
            p.write(film.frame(0x204060, true));
            p.write(film.frame(0x306050, false));
            heard.until_read(film.sequence());
            asked_whole = heard.requests;
            // it cannot be read, so what stands on it is not drawn
            p.write(film.frame(0xff0000, false, true));
            p.write(film.frame(0xff0000, false));
            heard.until_read(film.sequence());
            while (heard.requests == 0)
                heard.next();
            p.write(BELL);
            heard.until(CLIENT_KEY);
            asked_broken = heard.requests;
            p.write(film.frame(0x108030, true));
            p.write(film.frame(0x108040, false));
            heard.until_read(film.sequence());
            p.write(TEXT);
            asked_after = heard.requests;
            p.read_rest();
        });
        Owner owner(takes_film(server));
        owner.connected();
        wait_for(owner, SESSION_BELL);
        CHECK(near_to(seen(owner), 0x306050));
        session_send_key(owner, 'a', true);
        wait_for(owner, SESSION_CUT_TEXT);
        CHECK(near_to(seen(owner), 0x108040));
        CHECK(figures(owner).film_frames == 4);
    }
    CHECK(asked_whole == 0);
    CHECK(asked_broken == 1);
    CHECK(asked_after == 1);
}

TEST_CASE("session: a film whose frames stand on one that never comes is asked for again")
{
    if (!has_both())
        return;
    unsigned before = 1;
    {
        Server server([&](Peer &p) {
            Heard heard(p);
            Film film;
            begin(p);
            heard.until(CLIENT_SET_ENCODINGS);
            p.write(shows());
            while (heard.wishes == 0)
                heard.next();
            heard.requests = 0;
            p.write(film.frame(0x204060, true));
            film.frame(0xff0000, false);
            for (int i = 0; i < CODED_FRAMES_STUCK - 1; i++)
                p.write(film.frame(0xff0000, false));
            heard.until_read(film.sequence());
            before = heard.requests;
            p.write(film.frame(0xff0000, false));
            while (heard.requests == 0)
                heard.next();
            p.write(film.frame(0x306050, true) + TEXT);
            p.read_rest();
        });
        Owner owner(takes_film(server));
        owner.connected();
        wait_for(owner, SESSION_CUT_TEXT);
        CHECK(near_to(seen(owner), 0x306050));
    }
    CHECK(before == 0);
}

TEST_CASE("session: who takes no film, and who gets a part that there cannot be, ends")
{
    if (!has_both())
        return;
    bool takes = GENERATE(false, true);
    Server server([&](Peer &p) {
        Film film;
        std::string frame = film.frame(0x204060, true);
        begin(p);
        if (takes)
            frame[1 + BLOCK_HEAD + 9] = 0; // of no parts
        p.write(shows() + frame);
        p.read_rest();
    });
    session_options o = takes_film(server);
    o.encodings.jpeg = takes;
    Owner owner(o);
    owner.connected();
    CHECK(owner.closed().find("film") != std::string::npos);
    CHECK(owner.failure() == FAILURE_PROTOCOL);
}
