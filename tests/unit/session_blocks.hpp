// A session whose far end pushes blocks, as its owner has it, and as the far end does.
#pragma once

#include <algorithm>
#include <string>

#include "blocks.hpp"
#include "rfb/decode/framebuffer.h"
#include "rfb/proto/client_messages.h"
#include "rfb/proto/server_messages.h"
#include "session_owner.hpp"
#include "tests/expect.hpp"

namespace peer
{

using blocks_test::Picture;

template <typename Write> std::string written(Write write)
{
    uint8_t out[CLIENT_WRITE_MAX];
    return std::string(reinterpret_cast<char *>(out), write(out));
}

inline std::string resized(int w, int h)
{
    return written([=](uint8_t *o) {
        size_t size = server_write_update(o, 1);
        return size + server_write_rectangle(o + size, {0, 0, w, h}, PSEUDO_DESKTOP_SIZE);
    });
}

// A message with this block, changed.
inline std::string message(const std::string &wire, bool last = false, uint8_t generation = 1)
{
    std::string all = std::string(1, char(SERVER_BLOCK)) + wire;
    all[1] = char(all[1] | (last ? 0x80 : 0));
    all[2] = char(generation);
    return all;
}

inline std::string one(rect area, uint32_t sequence, uint32_t colour, bool last = false,
                       uint8_t generation = 1)
{
    const uint8_t rgb[] = {uint8_t(colour >> 16), uint8_t(colour >> 8), uint8_t(colour)};
    block b = {};
    uint8_t wire[BLOCK_MAX];
    b.codec = BLOCK_SOLID;
    b.sequence = sequence;
    b.area = area;
    b.payload = rgb;
    b.size = sizeof rgb;
    return message(std::string(reinterpret_cast<char *>(wire), block_pack(&b, wire)), last,
                   generation);
}

// What the session says, message by message.
struct Heard {
    Peer &p;
    unsigned requests = 0; // since it was last looked at
    uint32_t acknowledged = 0;
    unsigned wishes = 0, digests = 0;
    bool refused = false; // a block, there:
    rect refused_at = {};
    bool references = false; // it takes them
    bool offered = false;
    bool counted = false; // BLOCKS_COUNT has come,
    std::string said;     // and this behind it
    std::string keys;     // of one byte each
    std::string key;      // of digests

    explicit Heard(Peer &peer) : p(peer) {}
    uint8_t next()
    {
        std::string bytes = p.read(1);
        client_message m;
        size_t count;
        reason why;
        enum message_read result;
        while ((result = client_message_read(reinterpret_cast<const uint8_t *>(bytes.data()),
                                             bytes.size(), false, &m, &count, &why)) ==
               MESSAGE_PARTIAL)
            bytes += p.read(count);
        EXPECT(result == MESSAGE_WHOLE);
        if (counted)
            said += bytes;
        if (m.type == CLIENT_KEY)
            keys += char(m.keysym);
        counted = counted || (m.type == CLIENT_BLOCKS && m.blocks.kind == BLOCKS_COUNT);
        requests += m.type == CLIENT_UPDATE_REQUEST;
        for (unsigned i = 0; m.type == CLIENT_SET_ENCODINGS && i < m.encodings; i++)
            if (client_message_encoding(&m, i) == PSEUDO_REFERENCES)
                references = true;
            else
                offered = offered || blocks_version(client_message_encoding(&m, i)) > 0;
        if (m.type == CLIENT_BLOCKS && m.blocks.kind == BLOCKS_REFUSED) {
            refused = true;
            refused_at = m.blocks.refused;
        }
        if (m.type == CLIENT_BLOCKS && m.blocks.kind == BLOCKS_ACKNOWLEDGE)
            acknowledged = m.blocks.mark[m.blocks.marks - 1].sequence;
        digests += m.type == CLIENT_BLOCKS && m.blocks.kind == BLOCKS_DIGESTS;
        if (m.type == CLIENT_BLOCKS && m.blocks.kind == BLOCKS_DIGESTS &&
            m.blocks.digests.count == 0)
            key.assign(m.blocks.digests.key, m.blocks.digests.key + BLOCKS_KEY_BYTES);
        wishes += m.type == CLIENT_BLOCKS && m.blocks.kind == BLOCKS_WISHES;
        return uint8_t(m.type);
    }
    void until(uint8_t type)
    {
        while (next() != type)
            ;
    }
    void until_read(uint32_t sequence)
    {
        while (acknowledged != sequence)
            next();
    }
};

inline void begin(Peer &p)
{
    greet(p);
    p.write(bytes({1, SECURITY_NONE}));
    p.read(1);
    let_in(p);
}

inline struct session_options options_for(const Server &server, bool blocks = true)
{
    struct session_options o = {};
    strcpy(o.address.path, server.path().c_str());
    o.encodings.blocks = blocks;
    return o;
}

inline void wait_for(Owner &owner, session_event_type type)
{
    while (owner.next()->type != type)
        ;
}

inline Picture seen(session *s)
{
    framebuffer_view view;
    REQUIRE(framebuffer_lock(session_framebuffer(s), &view, false));
    Picture p(view.width, view.height);
    std::copy_n(view.pixels, p.pixels.size(), p.pixels.begin());
    framebuffer_unlock(session_framebuffer(s));
    return p;
}

inline struct session_stats figures(session *s)
{
    struct session_stats stats;
    session_stats(s, false, &stats);
    return stats;
}

} // namespace peer
