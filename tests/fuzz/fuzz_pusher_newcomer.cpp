/* What a viewer says that comes to a far end which was kept (rfb/pusher/visits/newcomer.h), as
 * fuzzer input: RFB's handshake, its encodings, and all that follows. The server is tame, and the
 * viewer of before has gone.
 *
 * The server hears all that is for it, once, in its order, and nothing where the handshake was
 * another one. What the newcomer gets is the handshake, and good blocks.
 *
 * Link with libFuzzer (clang -fsanitize=fuzzer), or with replay.cpp. */
#include "pushed_viewer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

using namespace pushing;

namespace
{

const std::string VERSION = "RFB 003.008\n", TYPE = "\1";
const std::string NAME = "desk";
/* Version and the types offered; the result; ServerInit. */
const size_t TOLD_AT_ONCE = 12 + 2, RESULT = 4, SCREEN = 4 + 16 + 4 + NAME.size();
const size_t SAID = 12 + 1 + 1;

bool lists_blocks(const client_message &m)
{
    for (unsigned i = 0; i < m.encodings; i++)
        for (unsigned v = BLOCKS_OLDEST; v <= BLOCKS_NEWEST; v++)
            if (client_message_encoding(&m, i) == PSEUDO_BLOCKS_0 + int32_t(v))
                return true;
    return false;
}

/* What the server is to hear of a newcomer that says this. */
std::string for_server_of_newcomer(const std::string &input)
{
    const uint8_t *data = reinterpret_cast<const uint8_t *>(input.data());
    std::string heard;
    client_framing f;
    client_frame found;
    Had had;
    bool asked;

    if (input.size() < SAID || input.compare(0, SAID - 1, VERSION + TYPE) != 0)
        return "";
    client_framing_begin(&f);
    for (size_t at = SAID;;) {
        at += client_framing_read(&f, data + at, input.size() - at, &found);
        if (found.event != CLIENT_FRAME_MESSAGE)
            return "";
        if (found.type == CLIENT_SET_ENCODINGS) {
            if (lists_blocks(found.message))
                for_server(f, had, input.substr(at), heard, asked);
            return heard;
        }
        if (found.type != CLIENT_SET_PIXEL_FORMAT)
            return "";
    }
}

/* What comes to the newcomer. */
struct NewcomerHeard {
    size_t handshake = 0;
    Heard heard;

    void take(std::string &in)
    {
        const std::string begin = VERSION + std::string("\1\1\0\0\0\0", 6);
        while (handshake < TOLD_AT_ONCE + RESULT + SCREEN && !in.empty()) {
            must(handshake >= begin.size() || in[0] == begin[handshake],
                 "the handshake of a far end");
            in.erase(0, 1);
            handshake++;
        }
        heard.take(in);
    }
};

/* A viewer that says its encodings, sees a picture, and goes. */
void serve_first(Pushed &p, client_framing &f, std::string &heard)
{
    bool asked = false, seen = false;
    Had none;

    p.viewer.say(encodings());
    p.run([&] {
        asked = false;
        must(for_server(f, none, p.server.in, heard, asked), "the server hears what it can frame");
        p.server.in.clear();
        if (asked && p.server.out.empty())
            p.server.say(picture());
        seen = seen || p.viewer.in.find(char(SERVER_BLOCK)) != std::string::npos;
        p.viewer.in.clear();
        if (seen && p.viewer.out.empty())
            shutdown(p.viewer.fd, SHUT_WR);
        return false;
    });
    must(p.viewer.gone && !p.server.gone, "the far end is kept");
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > INPUT_MAX)
        return 0;
    const std::string input(reinterpret_cast<const char *>(data), size);
    const std::string expected = for_server_of_newcomer(input);
    std::string heard;
    NewcomerHeard viewer;
    client_framing f;
    Had none;

    client_framing_begin(&f);
    Pushed p(true);
    serve_first(p, f, heard);
    must(heard.empty(), "nothing was for the server");
    p.come();
    p.viewer.say(input);
    auto hear = [&] {
        bool asked = false;
        must(for_server(f, none, p.server.in, heard, asked), "the server hears what it can frame");
        p.server.in.clear();
        if (asked && p.server.out.empty())
            p.server.say(picture());
        viewer.take(p.viewer.in);
        if (p.viewer.out.empty())
            shutdown(p.viewer.fd, SHUT_WR);
        return false;
    };
    p.run(hear);
    p.let_nobody_come();
    p.hear_out();
    hear();
    /* keys and buttons that it held down are released behind all that */
    must(heard.compare(0, expected.size(), expected) == 0, "the server hears all that is for it");
    must(!expected.empty() || heard.empty(), "and nothing else");
    return 0;
}
