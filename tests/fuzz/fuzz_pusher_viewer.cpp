/* What a viewer that takes blocks says, as fuzzer input: behind its first SetEncodings, to a far
 * end that pushes (rfb/pusher/pusher.h). The server is tame: it shows its picture whenever it is
 * asked.
 *
 * The server hears all that is for it, once, in its order, as it was said, and nothing in the
 * middle of it. What the viewer gets are good blocks. It ends when the viewer has.
 *
 * Link with libFuzzer (clang -fsanitize=fuzzer), or with replay.cpp. */
#include "pushing.hpp"
#include "rfb/pusher/viewer_had.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

using namespace pushing;

namespace
{

/* A question whether the server lives; the far end itself asks for no single pixel. */
bool is_question(const client_message &m)
{
    return m.type == CLIENT_UPDATE_REQUEST && !m.incremental && m.rect.w == 1 && m.rect.h == 1;
}

/* What the viewer has said that it still has. */
struct Had {
    viewer_had had = {};
    Had() = default;
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
bool for_server(client_framing &f, Had &had, const std::string &bytes, std::string &heard,
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

std::string picture()
{
    std::string out = written([](uint8_t *o) {
        size_t n = server_write_update(o, 1);
        return n + server_write_rectangle(o + n, {0, 0, WIDTH, HEIGHT}, ENCODING_RAW);
    });
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        out += std::string(1, char(i)) + std::string(1, char(i / WIDTH)) + std::string("\x40\0", 2);
    return out;
}

/* What comes to the viewer. */
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

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > INPUT_MAX)
        return 0;
    const std::string input(reinterpret_cast<const char *>(data), size), shown = picture();
    std::string expected, heard;
    client_framing f, g;
    bool asked = false;
    Heard viewer;
    Had had, none;

    client_framing_begin(&f);
    for_server(f, had, input, expected, asked);
    client_framing_begin(&g);
    Pushed p;
    p.viewer.say(encodings() + input);
    auto hear = [&] {
        asked = false;
        must(for_server(g, none, p.server.in, heard, asked), "the server hears what it can frame");
        p.server.in.clear();
        if (asked && p.server.out.empty())
            p.server.say(shown);
        viewer.take(p.viewer.in);
        if (p.viewer.out.empty())
            shutdown(p.viewer.fd, SHUT_WR);
        return false;
    };
    p.run(hear);
    while (!p.server.gone) {
        pollfd fd = {p.server.fd, POLLIN, 0};
        poll(&fd, 1, -1);
        p.server.out.clear();
        p.server.move();
    }
    hear();
    must(heard == expected, "the server hears all that is for it");
    return 0;
}
