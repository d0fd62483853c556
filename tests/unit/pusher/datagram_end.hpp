// The viewer's end of the way by datagrams, for the far end of far_end.hpp: the door, and packets.
#pragma once

#include <algorithm>

#include "far_end_sides.hpp"
#include "rfb/blocks/resolver.h"
#include "rfb/datagrams/body.h"
#include "rfb/datagrams/come.h"
#include "rfb/datagrams/repair.h"
#include "rfb/datagrams/sealed.h"
#include "rfb/pusher/words.h"
#include "rfb/system/descriptors.h"

namespace far_end
{

constexpr int WIDTH = 200, HEIGHT = 120;

inline rect fill(Picture &p, rect r, uint32_t colour)
{
    for (int y = r.y; y < r.y + r.h; y++)
        std::fill_n(&p.at(r.x, y), r.w, colour);
    return r;
}

inline std::string count()
{
    blocks_message m = {};
    m.kind = BLOCKS_COUNT;
    return written([&](uint8_t *o) { return blocks_write(o, &m); });
}

// The two ends of a door in which these bytes wait, if there are any.
struct Door {
    int ours, far;
    explicit Door(const std::string &opening)
    {
        int pair[2];
        REQUIRE(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0);
        ours = pair[0];
        far = pair[1];
        if (!opening.empty())
            REQUIRE(send(ours, opening.data(), opening.size(), 0) == ssize_t(opening.size()));
    }
    ~Door()
    {
        close(ours);
    }
    Door(const Door &) = delete;
    Door &operator=(const Door &) = delete;
};

inline std::string opening(uint16_t port, char secret = 's')
{
    door_opening o = {{}, port};
    memset(o.secret, secret, sizeof o.secret);
    return std::string(reinterpret_cast<char *>(&o), sizeof o);
}

// A packet that has come.
struct Packet {
    uint16_t mark;
    uint32_t heard;
    bool block, parity, lost;
    uint32_t sequence;
    rect area;
    size_t bytes;
};

// The door, and the viewer's end of the way. It draws what comes as datagrams and, as it is told,
// on the stream.
class Beside : public Awaited
{
  public:
    // The pusher's end of the door; it is the pusher's.
    int door;

    // The secret begins with this letter.
    Beside(int width, int height, uint8_t letter = 'a') : picture(width, height)
    {
        int pair[2];
        door_opening o = {{}, 60123};
        for (unsigned i = 0; i < SEALED_SECRET; i++)
            secret[i] = o.secret[i] = uint8_t(letter + i % 26);
        REQUIRE(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0);
        door_ = pair[0];
        door = pair[1];
        REQUIRE(send(door_, &o, sizeof o, 0) == ssize_t(sizeof o));
        REQUIRE(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair) == 0);
        ours_ = pair[0];
        theirs_ = pair[1];
        up_ = sealer_create(secret, SEALED_TO_FAR_END);
        down_ = opener_create(secret, SEALED_TO_VIEWER);
        newest_ = newest_create();
        repair_ = repair_create();
        resolver_ = resolver_create(KEPT_MIB_USUAL);
        REQUIRE((up_ && down_ && repair_ && resolver_ && newest_ &&
                 newest_begin(newest_, width, height, generation_)));
        thread_ = std::thread([this] { listen(); });
    }
    ~Beside()
    {
        shutdown(ours_, SHUT_RDWR);
        thread_.join();
        close(ours_);
        if (theirs_ >= 0)
            close(theirs_);
        close(door_);
        sealer_destroy(up_);
        opener_destroy(down_);
        newest_destroy(newest_);
        repair_destroy(repair_);
        resolver_destroy(resolver_);
    }
    // The pusher gets the way.
    void show_way()
    {
        give(theirs_);
        close(theirs_);
        theirs_ = -1;
    }
    // The far side of the way, for who hands it on by himself.
    int way() const
    {
        return theirs_;
    }
    int take_way()
    {
        return std::exchange(theirs_, -1);
    }
    // The pusher gets this as the way.
    void give(int fd)
    {
        REQUIRE(descriptors_send(door_, "w", 1, &fd, 1));
    }
    Also also()
    {
        return {[this](const block &b) { take(b, true); },
                [this](int w, int h) {
                    change([&] {
                        picture = Picture(w, h);
                        if (!newest_begin(newest_, w, h, ++generation_))
                            broken += "no memory";
                    });
                }};
    }
    // Numbers from this one on, each way.
    void number_from(uint64_t first)
    {
        change([&] {
            sealer_begin_at(up_, first);
            opener_begin_at(down_, first);
        });
    }
    // Says this, and what has come.
    void tell(uint32_t at = 0, const std::string &said = "")
    {
        change([&] { say(at, said); });
    }
    // A packet as it is, or one with this body.
    bool put(const std::string &packet)
    {
        return send(ours_, packet.data(), packet.size(), MSG_NOSIGNAL) == ssize_t(packet.size());
    }
    std::string seal(const std::string &body)
    {
        uint8_t packet[SEALED_MAX];
        size_t size = 0;
        change([&] { size = sealer_seal(up_, body.data(), body.size(), packet); });
        return std::string(reinterpret_cast<char *>(packet), size);
    }
    bool await_picture(const Picture &p)
    {
        return await([&] { return picture == p; });
    }
    // It works with a mark that is not this one.
    bool await_other_mark(uint16_t before)
    {
        return await([&] { return mark != before; });
    }
    unsigned blocks() const // with the lock
    {
        unsigned all = 0;
        for (const Packet &p : packets)
            all += p.block;
        return all;
    }
    unsigned lost() const // with the lock
    {
        unsigned all = 0;
        for (const Packet &p : packets)
            all += p.lost;
        return all;
    }
    // Blocks that came in larger packets than pass everywhere.
    unsigned larger()
    {
        return with([&] {
            unsigned all = 0;
            for (const Packet &p : packets)
                all += p.block && p.bytes > SEALED_ANYWHERE;
            return all;
        });
    }
    // Of those that came as datagrams each has a higher number than those before.
    bool numbers_rise() const
    {
        bool rise = true;
        uint32_t before = 0;
        for (const Packet &p : packets) {
            rise = rise && (!(p.block || p.parity) || p.sequence > before);
            before = p.block || p.parity ? p.sequence : before;
        }
        return rise;
    }

    uint8_t secret[SEALED_SECRET];
    // With the lock of await() and with().
    Picture picture;
    std::vector<Packet> packets;
    unsigned streamed = 0;         // blocks
    unsigned made = 0;             // blocks, of parities
    uint16_t mark = 0;             // of the newest packet
    bool answers = false;          // each packet is answered
    size_t most = SEALED_ANYWHERE; // bytes: larger packets are lost
    unsigned vanished = 0;         // so many were
    unsigned references = 0;       // blocks that refer to what was drawn
    std::function<void(rect)> refuses = [](rect) {};
    std::function<bool(const block &)> loses = [](const block &) { return false; };
    std::function<bool()> loses_parity = [] { return false; };

  private:
    void say(uint32_t at, const std::string &said)
    {
        uint8_t body[SEALED_BODY_MAX], packet[SEALED_MAX];
        body_up u = {};
        u.mark = mark;
        u.at = at;
        u.said = reinterpret_cast<const uint8_t *>(said.data());
        u.size = said.size();
        u.largest = largest_;
        u.search = search_;
        come_tell(&come_, &u, tick_now());
        size_t size = sealer_seal(up_, body, body_write_up(body, &u), packet);
        send(ours_, packet, size, MSG_NOSIGNAL);
    }
    // With the lock.
    void draw(const block &b)
    {
        newest_cells cells;
        reason why = {};
        if (block_is_reference(&b)
                ? !resolver_draw(resolver_, newest_, reader_.r, &b, picture.pixels.data(),
                                 picture.w, picture.h, &cells, &why)
                : !newest_draw(newest_, reader_.r, &b, picture.pixels.data(), &cells, &why))
            broken += why.text;
        references += block_is_reference(&b);
        if (block_is_reference(&b) && cells == NEWEST_GONE)
            refuses(b.area);
    }
    // With the lock, but for those of the stream.
    void take(const block &b, bool stream)
    {
        auto take = [&] {
            draw(b);
            come_note(&come_, b.sequence, tick_now());
            streamed += stream;
        };
        if (stream)
            change(take);
        else
            take();
    }
    void hear_block(const body_down &d, Packet &p)
    {
        block b;
        reason why = {};
        p.block = true;
        if (!block_unpack(&b, d.block, d.size, &why)) {
            broken += why.text;
            return;
        }
        p.sequence = b.sequence;
        p.area = b.area;
        p.lost = b.generation != generation_ || loses(b);
        if (p.lost)
            return;
        take(b, false);
        repair_block(repair_, b.sequence, d.block, d.size);
    }
    void hear_parity(const body_down &d, Packet &p)
    {
        struct parity parity;
        p.parity = true;
        if (!parity_read(&parity, d.block, d.size)) {
            broken += "no parity";
            return;
        }
        p.sequence = parity.sequence;
        p.lost = loses_parity();
        if (p.lost)
            return;
        come_note(&come_, parity.sequence, tick_now());
        repair_parity(repair_, &parity);
    }
    void repair()
    {
        const uint8_t *packed;
        size_t size;
        block b;
        reason why = {};
        while (repair_next(repair_, &packed, &size)) {
            if (!block_unpack(&b, packed, size, &why))
                broken += why.text;
            else if (b.generation == generation_)
                draw(b), come_made(&come_, b.sequence), made++;
        }
    }
    void hear(const body_down &d, size_t bytes)
    {
        Packet p = {d.mark, d.heard, false, false, false, 0, {}, bytes};
        mark = d.mark;
        if (d.probe) {
            largest_ = d.search == search_ ? std::max(largest_, uint16_t(bytes)) : uint16_t(bytes);
            search_ = d.search;
        }
        if (parity_is(d.block, d.size))
            hear_parity(d, p);
        else if (d.size > 0)
            hear_block(d, p);
        if (d.size > 0 && !p.lost)
            repair();
        packets.push_back(p);
        if (answers)
            say(0, "");
    }
    void listen()
    {
        uint8_t packet[SEALED_MAX + 1], body[SEALED_BODY_MAX];
        for (ssize_t n; (n = recv(ours_, packet, sizeof packet, 0)) > 0;)
            change([&] {
                size_t size;
                bool newest;
                body_down d;
                if (size_t(n) > most) {
                    vanished++;
                    return;
                }
                if (opener_open(down_, packet, size_t(n), body, &size, &newest) &&
                    body_read_down(body, size, &d))
                    hear(d, size_t(n));
                else
                    broken += "no packet of the far end";
            });
    }

  public:
    std::string broken; // what is wrong with what has come; with the lock

  private:
    uint16_t largest_ = 0; // probe,
    uint8_t search_ = 0;   // of this search
    int door_, ours_, theirs_;
    sealer *up_;
    opener *down_;
    newest *newest_;
    struct repair *repair_;
    resolver *resolver_;
    blocks_test::Reader reader_;
    uint8_t generation_ = 1;
    come come_ = {};
    std::thread thread_;
};

// All that there is. The viewer is there from the beginning.
struct Linked {
    Beside way;
    Far far;
    Server server;
    Viewer viewer;

    explicit Linked(Acks acks = IN_TIME, int width = WIDTH, int height = HEIGHT, tick_t keep = 0,
                    bool octopus = false)
        : way(width, height), far(width, height, true, keep, way.door, octopus),
          server(far.server, width, height),
          viewer(far.viewer, width, height, acks, false, way.also())
    {
        way.with([&] { way.refuses = [this](rect r) { viewer.say(refused(r)); }; });
    }
    ~Linked()
    {
        CHECK(way.with([&] {
            way.refuses = [](rect) {};
            return way.broken;
        }) == "");
    }
    Picture picture()
    {
        return server.with([&] { return server.picture; });
    }
    void check()
    {
        CHECK(way.await_picture(picture()));
    }
    // The first picture is there, and what the viewer says is counted from here on.
    void begin_counting()
    {
        check();
        way.show_way();
        viewer.say(count());
        REQUIRE(way.await([&] { return !way.packets.empty(); }));
    }
    // The same, and datagrams work.
    void begin()
    {
        way.with([&] { way.answers = true; });
        begin_counting();
        begin_anew();
    }
    // Blocks come as datagrams.
    void begin_anew()
    {
        unsigned before = way.with([&] { return way.blocks(); });
        for (uint32_t colour = 1; way.with([&] { return way.blocks() == before; }); colour++) {
            server.draw([&](Picture &p) { return fill(p, {0, 0, 16, 16}, colour * 0x010203); });
            check();
        }
    }
    void draw(rect r, uint32_t colour)
    {
        server.draw([&](Picture &p) { return fill(p, r, colour); });
    }
};

} // namespace far_end
