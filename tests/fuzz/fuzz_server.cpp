/* What a server says after its handshake, as fuzzer input: the bytes go through the client's real
 * reading, decoding and resizing over a socket pair. Blocks are allowed, and digests of an old
 * picture of the size were said. One thread: all bytes are in the socket before the client starts
 * to read, and then the server is gone.
 *
 * Link with libFuzzer (clang -fsanitize=fuzzer), or with replay.cpp. */
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "must.hpp"
#include "rfb/blocks/resolver.h"
#include "rfb/decode/decoder.h"
#include "rfb/decode/framebuffer.h"
#include "rfb/film/decoder.h"
#include "rfb/net/sockets/socket.h"
#include "rfb/net/stream.h"
#include "rfb/proto/client_messages.h"

#include "rfb/proto/extensions/qemu_audio.h"
#include "rfb/proto/handshake/handshake.h"
#include "rfb/session/pictures/messages.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace
{

/* What a socket pair takes in one go; corpora are far smaller. */
const size_t INPUT_MAX = 100000;

bool no_credentials(void *, bool, const struct security *, char **, char **, struct reason *why)
{
    return reason_set(why, "nobody to ask");
}

void ignore(void *) {}

bool go_on(void *)
{
    return true;
}

bool go_on_after(void *, struct rect, int32_t, bool)

{
    return true;
}

void finished(void *user, bool)
{
    framebuffer_publish(static_cast<struct framebuffer *>(user));
}

void ignore_size(void *, int, int) {}

void ignore_leds(void *, unsigned) {}

void ignore_kind(void *, bool) {}

void whole_frames(void *, const void *samples, size_t size)
{
    unsigned sum = 0;

    must(size > 0 && size <= SOUND_PIECE_MAX && size % SOUND_FRAME == 0, "sound is whole frames");
    for (size_t i = 0; i < size; i++)
        sum += static_cast<const uint8_t *>(samples)[i];
    is_read(sum);
}

void free_cursor(void *, int, int, int, int, uint32_t *pixels)
{
    free(pixels);
}

void free_text(void *, char *text)
{
    free(text);
}

void ignore_dropped(void *, size_t, size_t) {}

void free_provided(void *, const struct extended_clipboard *m)
{
    free(m->provided);
}

/* Lays out the answer, as a session does. */
bool answer(void *, uint32_t flags, const uint8_t *payload, size_t bytes, struct reason *)
{
    uint8_t out[CLIENT_WRITE_MAX];

    return client_write_fence(out, flags, payload, bytes) <= sizeof out;
}

/* RFB 3.8, no security, 64 x 48 pixels of 32 bits, named "fuzz". */
std::string greeting()
{
    std::string s = "RFB 003.008\n";
    s += std::string("\1\1", 2);         /* one security type: None */
    s += std::string(4, '\0');           /* it went well */
    s += std::string("\0\x40\0\x30", 4); /* width, height */
    s += std::string("\x20\x18\0\1\0\xff\0\xff\0\xff\x10\x08\0\0\0\0", 16);
    s += std::string("\0\0\0\4fuzz", 8);
    return s;
}

/* One of this size; its digests were said. */
struct old_picture *had(int width, int height)
{
    struct old_picture *old = old_picture_create();
    struct framebuffer *fb = framebuffer_create(-1);
    struct framebuffer_reader *reader = framebuffer_reader_of(fb);
    const uint8_t key[BLOCKS_KEY_BYTES] = {};
    struct bytes_held digests;

    if (framebuffer_resize(fb, width, height))
        old_picture_give(old, reader, nullptr);
    old_picture_wanted(old, key);
    if (old_picture_take(old, &digests))
        bytes_deinit(&digests);
    framebuffer_unmap(reader);
    framebuffer_destroy(fb);
    return old;
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int ends[2];
    if (size > INPUT_MAX || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return 0;
    std::string bytes = greeting();
    bytes.append(reinterpret_cast<const char *>(data), size);
    bool sent = send(ends[1], bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL) ==
                static_cast<ssize_t>(bytes.size());
    shutdown(ends[1], SHUT_WR);

    struct framebuffer *fb = framebuffer_create(-1);
    struct handshake_options options = {};
    options.shared = true;
    options.security.allowed = security_default();
    options.security.tls.host = "";
    options.credentials = no_credentials;
    struct encoding_list offered = {};
    encoding_list_all(&offered);
    film_decoder_load();
    struct stream *stream = stream_create(socket_adopt(ends[0]));
    struct decoder *decoder = decoder_create(stream, fb, &offered);
    struct message_source source = {};
    source.stream = stream;
    source.decoder = decoder;
    source.fb = fb;
    source.extended_clipboard = source.sound = true;
    source.blocks = block_reader_create();
    source.newest = newest_create();
    source.resolver = resolver_create(KEPT_MIB_USUAL);
    struct source_handlers h = {};
    h.begun = go_on;
    h.drawn = go_on_after;
    h.ended = h.update_begun = h.bell = ignore;
    h.shown = finished;
    h.partly = [](void *fb) { framebuffer_publish(static_cast<struct framebuffer *>(fb)); };
    h.block = [](void *, const block *, bool) {};
    h.resized = ignore_size;
    h.cursor = free_cursor;
    h.leds = ignore_leds;
    h.screens = [](void *, const struct screen_layout *) {};
    h.resize_refused = [](void *, unsigned) {};
    h.takes_key_codes = h.takes_more_buttons = h.has_sound = ignore;
    h.sound = whole_frames;
    h.takes_steps = ignore_kind;
    h.server_kind = ignore_kind;
    h.accelerated = [](void *, const accelerator_shown *) {};
    h.name = h.cut_text = free_text;
    h.cut_text_dropped = ignore_dropped;
    h.clipboard = free_provided;
    h.continuous_updates_ended = ignore;
    h.fence = answer;
    h.old = had(64, 48);
    h.user = fb;
    struct reason why = {};
    int messages = 0;
    struct server_init init = {};
    if (sent && handshake(stream, &options, &init, &why) &&
        message_resize(&source, init.width, init.height, &why))
        while (message_receive(&source, &h, &why))
            messages++;
    free(init.name);
    if (getenv("VNCHL_FUZZ_VERBOSE"))
        dprintf(2, "%zu bytes, %d messages: %s\n", size, messages, why.text);
    decoder_destroy(decoder);
    block_reader_destroy(source.blocks);
    newest_destroy(source.newest);
    resolver_destroy(source.resolver);
    old_picture_destroy(h.old);
    stream_destroy(stream); /* closes its end */
    framebuffer_destroy(fb);
    close(ends[1]);
    return 0;
}
