/* A viewer that takes blocks and says the input of a fuzz target to a far end that pushes, beside a
 * tame server: what the server is to hear of it, and whether the blocks that leave are good. */
#pragma once

#include <string>

#include "pushing.hpp"
#include "rfb/pusher/references/viewer_had.h"

namespace pushing
{

/* A question whether the server lives; the far end itself asks for no single pixel. */
inline bool is_question(const client_message &m)
{
    return m.type == CLIENT_UPDATE_REQUEST && !m.incremental && m.rect.w == 1 && m.rect.h == 1;
}

/* What the viewer has said that it still has. */
struct Had {
    viewer_had had = {};
    Had()
    {
        viewer_had_begin(&had);
    }
    Had(const Had &) = delete;
    ~Had()
    {
        viewer_had_deinit(&had);
    }
    /* Whether it may say this now. The far end forgets what it has compared. */
    bool hear(const client_message &m)
    {
        return m.type != CLIENT_BLOCKS || m.blocks.kind != BLOCKS_DIGESTS ||
               viewer_had_hear(&had, &m.blocks.digests);
    }
};

/* What of this the server is to hear. False: no boundaries are known behind it, or it is over. */
inline bool for_server(client_framing &f, Had &had, const std::string &bytes, std::string &heard,
                       bool &asked)
{
    const uint8_t *data = reinterpret_cast<const uint8_t *>(bytes.data());
    client_frame found;

    for (size_t at = 0;;) {
        at += client_framing_read(&f, data + at, bytes.size() - at, &found);
        if (found.event == CLIENT_FRAME_NONE)
            return true;
        if (found.event == CLIENT_FRAME_UNKNOWN || found.event == CLIENT_FRAME_HOSTILE)
            return false;
        bool whole = found.event == CLIENT_FRAME_MESSAGE && found.understood;
        if (whole && !had.hear(found.message))
            return false;
        if (whole && found.message.type == CLIENT_BLOCKS &&
            found.message.blocks.kind == BLOCKS_GOODBYE)
            return false; /* nothing of it counts any more */
        if (whole && found.message.type == CLIENT_UPDATE_REQUEST)
            asked = true;
        if (!whole || is_question(found.message) || found.type == CLIENT_KEY ||
            found.type == CLIENT_POINTER || found.type == CLIENT_QEMU ||
            found.type == CLIENT_SET_DESKTOP_SIZE)
            heard.append(reinterpret_cast<const char *>(found.bytes), found.size);
    }
}

inline std::string picture()
{
    std::string out = written([](uint8_t *o) {
        size_t n = server_write_update(o, 1);
        return n + server_write_rectangle(o + n, {0, 0, WIDTH, HEIGHT}, ENCODING_RAW);
    });
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        out += std::string(1, char(i)) + std::string(1, char(i / WIDTH)) + std::string("\x40\0", 2);
    return out;
}

/* What comes to the viewer, behind the handshake. */
struct Heard {
    bool head = false;

    void take(std::string &in)
    {
        const size_t fixed = SERVER_UPDATE_HEAD + RECTANGLE_HEAD;
        if (!head && in.size() >= fixed) {
            rect r;
            must(server_read_rectangle(
                     reinterpret_cast<const uint8_t *>(in.data()) + SERVER_UPDATE_HEAD, &r) ==
                     PSEUDO_ACCELERATOR,
                 "who pushes shows itself first");
            head = in.size() >= fixed + size_t(r.w);
            in.erase(0, head ? fixed + size_t(r.w) : 0);
        }
        while (head && !in.empty()) {
            block b;
            if (in[0] == SERVER_UPDATE) {
                if (in.size() < SERVER_UPDATE_HEAD)
                    return;
                must(in[2] == 0 && in[3] == 0,
                     "a question while hidden is answered with no pixels");
                in.erase(0, SERVER_UPDATE_HEAD);
                continue;
            }
            must(uint8_t(in[0]) == SERVER_BLOCK, "a server that says nothing else");
            size_t whole = block_at(in, b);
            must(whole == 0 || (b.generation == 1 && b.area.x + b.area.w <= WIDTH &&
                                b.area.y + b.area.h <= HEIGHT),
                 "a block is of the picture");
            if (whole == 0)
                return;
            in.erase(0, whole);
        }
    }
};

} // namespace pushing
