/* What a server says behind its handshake, as fuzzer input, to a far end that pushes
 * (rfb/pusher/pusher.h). The viewer is tame: it acknowledges what it has read.
 *
 * The viewer can read what it gets to the end. It is told what a viewer is told that has this
 * server for itself, in that order, but for what is the far end's business, for sound, and for the
 * last rectangle of an update that breaks off.
 *
 * Link with libFuzzer (clang -fsanitize=fuzzer), or with replay.cpp. */
#include <fcntl.h>

#include <algorithm>

#include "pushing.hpp"
#include "rfb/net/sockets/socket.h"
#include "rfb/session/pictures/messages.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

using namespace pushing;

namespace
{

/* Reads all that comes, with the code of a session. */
class Viewer
{
  public:
    std::string told; /* a line for each thing */
    bool ended = false;
    size_t heard = 0; /* bytes of sound, which may be dropped and come later than the rest */

    /* `fd`: becomes the stream's. `acks`: where acknowledgements go; -1: nowhere. */
    void read(int fd, int acks, bool blocks)
    {
        framebuffer *fb = framebuffer_create(-1);
        stream *s = stream_create(socket_adopt(fd));
        source source = {};
        encoding_options o = {};
        source_handlers h = handlers();
        reason why = {};

        fb_ = fb;
        acks_ = acks;
        o.blocks = blocks;
        o.clipboard = o.sound = true;
        encoding_list_parse(&o.list, "raw,copyrect", &why); /* as the pusher has them */
        must(message_source_open(&source, s, fb, &o, WIDTH, HEIGHT, &why), "there is memory");
        while (source.receive(source.self, &h, &why))
            ;
        ended = stream_failure(s) !=
                FAILURE_NONE; /* who is gone may have left acknowledgements unread */
        source.destroy(source.self);
        stream_destroy(s);
        framebuffer_destroy(fb);
    }

  private:
    static Viewer *of(void *user)
    {
        return static_cast<Viewer *>(user);
    }
    void tell(const std::string &what, int64_t a = 0, int64_t b = 0)
    {
        told += what + " " + std::to_string(a) + " " + std::to_string(b) + "\n";
    }
    void tell_text(const std::string &what, char *text)
    {
        std::string all = text;
        free(text);
        std::replace(all.begin(), all.end(), '\n', ' ');
        tell(what + all);
    }
    source_handlers handlers()
    {
        source_handlers h = {};
        h.user = this;
        h.begun = [](void *) { return true; };
        h.ended = h.update_begun = h.partly = h.continuous_updates_ended = [](void *) {};
        h.drawn = [](void *, rect, int32_t, bool) { return true; };
        h.shown = [](void *u, bool) { framebuffer_publish(of(u)->fb_); };
        h.block = [](void *u, const block *b, bool) {
            const std::string ack = acknowledgement(b->sequence);
            send(of(u)->acks_, ack.data(), ack.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        };
        h.resized = [](void *u, int w, int height) { of(u)->tell("resized", w, height); };
        h.cursor = [](void *u, int w, int height, int x, int y, uint32_t *pixels) {
            uint32_t sum = 0;
            for (int i = 0; i < w * height; i++)
                sum = sum * 31 + pixels[i];
            free(pixels);
            of(u)->tell("cursor " + std::to_string(sum), w * 2000 + height, x * 2000 + y);
        };
        h.leds = [](void *u, unsigned leds) { of(u)->tell("leds", leds); };
        h.takes_key_codes = [](void *u) { of(u)->tell("codes"); };
        h.takes_more_buttons = [](void *u) { of(u)->tell("buttons"); };
        h.takes_steps = [](void *u, bool on) { of(u)->tell("steps", on); };
        h.has_sound = [](void *u) { of(u)->tell("sound"); };
        h.sound = [](void *u, const void *, size_t bytes) { of(u)->heard += bytes; };
        h.name = [](void *u, char *text) { of(u)->tell_text("name ", text); };
        h.screens = [](void *u, const screen_layout *l) { of(u)->tell("screens", l->count); };
        h.resize_refused = [](void *u, unsigned result) { of(u)->tell("refused", result); };
        h.cut_text = [](void *u, char *text) { of(u)->tell_text("text ", text); };
        h.cut_text_dropped = [](void *u, size_t n, size_t) { of(u)->tell("dropped", int64_t(n)); };
        h.clipboard = [](void *u, const extended_clipboard *m) {
            of(u)->tell("clipboard", m->action, m->accepts);
            free(m->provided);
        };
        h.bell = [](void *u) { of(u)->tell("bell"); };
        h.server_kind = [](void *, bool) {};
        h.accelerated = [](void *, const accelerator_shown *) {};
        h.fence = [](void *, uint32_t, const uint8_t *, size_t, reason *) { return true; };
        return h;
    }

    framebuffer *fb_ = nullptr;
    int acks_ = -1;
};

/* The bytes are all in the socket, and then the server is gone. */
void put(int fd, const std::string &bytes)
{
    must(send(fd, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL) == ssize_t(bytes.size()),
         "the socket has room");
    shutdown(fd, SHUT_WR);
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > INPUT_MAX)
        return 0;
    const std::string input(reinterpret_cast<const char *>(data), size), begins = encodings();
    Viewer alone, behind;
    int ends[2];

    must(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0, "there are sockets");
    put(ends[1], input);
    alone.read(ends[0], -1, false);
    close(ends[1]);
    {
        Pushed p;
        must(send(p.viewer.fd, begins.data(), begins.size(), 0) == ssize_t(begins.size()),
             "the socket has room");
        put(p.server.fd, input);
        behind.read(fcntl(p.viewer.fd, F_DUPFD_CLOEXEC, 0), p.viewer.fd, true);
    }
    must(behind.ended, "the viewer can read what it gets");
    must(behind.heard <= alone.heard, "no sound is made up");
    must(alone.told.compare(0, behind.told.size(), behind.told) == 0, "it is told nothing else");
    const std::string rest = alone.told.substr(behind.told.size());
    must(std::count(rest.begin(), rest.end(), '\n') <= 2, "and all of it"); /* a size and screens */
    return 0;
}
