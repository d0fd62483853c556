/* A file that --play is given, as fuzzer input: its blocks, and the handshake in them. What comes
 * behind that is the server's (fuzz_server.cpp), and is only read here.
 *
 * Link with libFuzzer (clang -fsanitize=fuzzer), or with replay.cpp. */
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "rfb/net/recording/playback.h"
#include "rfb/net/stream.h"
#include "rfb/proto/handshake/handshake.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace
{

/* What stream_create() takes over; it waits for nobody at PLAYBACK_MAX. */
void play(const std::string &path)
{
    struct reason why = {};
    const struct play_wish wish = {false, true, 5000}; /* ms */
    struct transport *t = playback_open(path.c_str(), PLAYBACK_MAX, &why);
    struct stream *s = t ? stream_create(t) : nullptr;
    if (!s)
        return;
    struct handshake_options options = {};
    struct server_init init = {};
    options.security.tls.host = "";
    char some[4096];
    stream_wait_readable(s, -1, 0); /* it looks how long it is */
    if (security_parse(&options.security.allowed, "None", &why) &&
        handshake(s, &options, &init, &why)) {
        stream_play(s, &wish);
        while (stream_read_some(s, some, sizeof some, &why))
            ;
    }
    if (stream_failure(s))
        stream_explain(s, &why);
    if (getenv("VNCHL_FUZZ_VERBOSE"))
        dprintf(2, "%llu bytes read: %s\n", static_cast<unsigned long long>(stream_taken(s)),
                why.text);
    free(init.name);
    stream_destroy(s);
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int fd = memfd_create("recording", MFD_CLOEXEC);
    if (fd < 0)
        return 0;
    if (write(fd, data, size) == static_cast<ssize_t>(size))
        play("/proc/self/fd/" + std::to_string(fd));
    close(fd);
    return 0;
}
