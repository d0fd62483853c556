/* What a viewer that takes blocks says, as fuzzer input: behind its first SetEncodings, to a far
 * end that pushes (rfb/pusher/pusher.h). The server is tame: it shows its picture whenever it is
 * asked.
 *
 * The server hears all that is for it, once, in its order, as it was said, and nothing in the
 * middle of it. What the viewer gets are good blocks. It ends when the viewer has.
 *
 * Link with libFuzzer (clang -fsanitize=fuzzer), or with replay.cpp. */
#include "pushed_viewer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

using namespace pushing;

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
    p.hear_out();
    hear();
    must(heard == expected, "the server hears all that is for it");
    return 0;
}
