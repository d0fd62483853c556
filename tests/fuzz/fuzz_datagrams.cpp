/* What a far end says as datagrams and on the stream, in turn, as fuzzer input: behind the seal,
 * into the picture of a session (rfb/session/pictures/picture_blocks.h). The viewer tells what has
 * come, and repeats what it says. One thread, and no clock: the stream is a transport that goes
 * through the script.
 *
 * What leaves is well-formed. It tells only of blocks that have come, and repeats only what was
 * said, at its place. Blocks that need others are not taken as datagrams. It comes to rest.
 *
 * Link with libFuzzer (clang -fsanitize=fuzzer), or with replay.cpp. */
#include <poll.h>

#include <cerrno>
#include <cstdlib>
#include <set>

#include "rfb/datagrams/body.h"
#include "rfb/net/stream.h"
#include "rfb/net/transport.h"
#include "rfb/session/pictures/messages.h"
#include "script.hpp"
#include "sealing.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace
{

const int WIDTH = 64, HEIGHT = 48;
/* Packets at a time: something new, and what was to be repeated meanwhile. */
const int SENDS = 4;

enum { STREAM, BODY, PACKET, AGAIN, SAY, TIME, KINDS };

class Session
{
  public:
    explicit Session(std::vector<Step> steps)
        : steps_(std::move(steps)), far_(SEALED_TO_VIEWER, SEALED_TO_FAR_END)
    {
        accelerator_shown shown = {"", 1, 1, false, false, 60123, {}, {}, false, {}, 0, {}};
        std::copy(Sealing::secret(), Sealing::secret() + SEALED_SECRET, shown.datagrams_secret);
        ops_.read = read;
        ops_.wait = wait;
        ops_.waiting = [](transport *t) { return int(of(t)->waiting_.size()); };
        ops_.unsent = [](transport *) { return 0; };
        ops_.cut = ops_.destroy = [](transport *) {};
        transport_.base.ops = &ops_;
        transport_.session = this;
        must(datagrams_begin(datagrams_, &shown, [](uint16_t) {}), "it begins");
        must(datagrams_give(datagrams_, far_.given), "it takes the socket");
        must(datagrams_take_count(datagrams_), "the stream is to be counted");
        datagrams_count(datagrams_);
    }
    ~Session()
    {
        datagrams_destroy(datagrams_);
        framebuffer_destroy(fb_);
    }
    Session(const Session &) = delete;
    Session &operator=(const Session &) = delete;

    void run()
    {
        stream *s = stream_create(&transport_.base);
        source_handlers h = handlers();
        encoding_options o = {};
        source from = {};
        reason why = {};

        encoding_list_all(&o.list);
        o.blocks = o.clipboard = o.local_cursor = true;
        must(message_source_open(&from, s, fb_, &o, WIDTH, HEIGHT, &why), "there is memory");
        while (from.receive(from.self, &h, &why))
            ;
        now_ += TICK_S;
        tell();
        from.destroy(from.self);
        stream_destroy(s);
    }

  private:
    struct Line {
        transport base;
        Session *session;
    };

    static Session *of(transport *t)
    {
        return reinterpret_cast<Line *>(t)->session;
    }
    static Session *of(void *user)
    {
        return static_cast<Session *>(user);
    }
    static ssize_t read(transport *t, void *out, size_t size)
    {
        Session *s = of(t);
        size_t n = std::min(size, s->waiting_.size());

        if (n == 0 && s->next_ < s->steps_.size()) {
            errno = EAGAIN;
            return -1;
        }
        s->waiting_.copy(static_cast<char *>(out), n);
        s->waiting_.erase(0, n);
        return ssize_t(n);
    }
    static transport_wake wait(transport *t, short, int wake_fd, tick_t)
    {
        Session *s = of(t);

        for (;;) {
            pollfd fd = {wake_fd, POLLIN, 0};
            if (poll(&fd, 1, 0) > 0)
                return TRANSPORT_WOKEN;
            if (!s->waiting_.empty() || s->next_ == s->steps_.size())
                return TRANSPORT_READY;
            s->step(s->steps_[s->next_++]);
        }
    }

    void step(const Step &step)
    {
        switch (step.kind) {
        case STREAM:
            waiting_ = step.bytes;
            break;
        case BODY:
            note_parity(step.bytes);
            put(far_.seal(step.bytes));
            break;
        case PACKET:
            put(step.bytes);
            break;
        case AGAIN:
            put(last_);
            break;
        case SAY:
            said_ += step.bytes;
            datagrams_said(datagrams_, step.bytes.data(), step.bytes.size());
            break;
        case TIME:
            now_ += step.number(0, 2) * TICK_MS;
            break;
        }
        tell();
    }
    // Parities are told of as blocks are, but nothing is drawn.
    void note_parity(const std::string &body)
    {
        body_down down;
        parity p;

        if (body_read_down(reinterpret_cast<const uint8_t *>(body.data()), body.size(), &down) &&
            parity_read(&p, down.block, down.size))
            parities_.insert(p.sequence);
    }
    bool came(uint32_t number) const
    {
        return came_.count(number) > 0 || parities_.count(number) > 0;
    }
    void put(const std::string &packet)
    {
        if (!packet.empty())
            far_.put(packet);
        last_ = packet;
    }

    /* ---- what leaves ---- */

    void tell()
    {
        std::string body;

        for (int i = 0; i < SENDS && datagrams_due(datagrams_) <= now_; i++)
            datagrams_send(datagrams_, now_);
        must(datagrams_due(datagrams_) > now_, "it comes to rest");
        while (far_.hear(body))
            if (!body.empty())
                hear(body);
    }
    void hear(const std::string &body)
    {
        body_up up;

        must(body_read_up(reinterpret_cast<const uint8_t *>(body.data()), body.size(), &up),
             "what leaves is well-formed");
        must(up.at <= said_.size() && up.size <= said_.size() - up.at &&
                 said_.compare(up.at, up.size, reinterpret_cast<const char *>(up.said), up.size) ==
                     0,
             "it repeats what was said");
        must(!up.tells || came(up.newest), "the newest block has come");
        must(up.tells || came_.empty(), "it tells of blocks");
        for (uint32_t i = 0; up.tells && i < BODY_BEFORE; i++)
            must(!(up.before[i / 8] >> i % 8 & 1) || came(up.newest - 1 - i),
                 "it tells of what has come");
    }

    /* ---- what comes ---- */

    source_handlers handlers()
    {
        source_handlers h = {};
        h.user = this;
        h.datagrams = datagrams_;
        h.begun = [](void *) { return true; };
        h.ended = h.update_begun = h.continuous_updates_ended = [](void *) {};
        h.bell = h.takes_key_codes = h.takes_more_buttons = [](void *) {};
        h.takes_steps = [](void *, bool) {};
        h.drawn = [](void *u, rect r, int32_t, bool) {
            int width, height;
            framebuffer_size(of(u)->fb_, &width, &height);
            must(rect_inside(r, {0, 0, width, height}), "it is drawn inside of the picture");
            return true;
        };
        h.partly = [](void *u) { framebuffer_publish(of(u)->fb_); };
        h.shown = [](void *u, bool) { framebuffer_publish(of(u)->fb_); };
        h.block = [](void *u, const block *b, bool as_datagram) {
            Session *s = of(u);
            must(!as_datagram || (b->codec != BLOCK_COPY && b->codec != BLOCK_OLD),
                 "a datagram needs no other block");
            s->came_.insert(b->sequence);
            datagrams_came(s->datagrams_, b->sequence, as_datagram, s->now_);
        };
        h.resized = [](void *, int, int) {};
        h.cursor = [](void *, int, int, int, int, uint32_t *pixels) { free(pixels); };
        h.leds = h.resize_refused = [](void *, unsigned) {};
        h.name = h.cut_text = [](void *, char *text) { free(text); };
        h.screens = [](void *, const screen_layout *) {};
        h.cut_text_dropped = [](void *, size_t, size_t) {};
        h.clipboard = [](void *, const extended_clipboard *m) { free(m->provided); };
        h.server_kind = [](void *, bool) {};
        h.accelerated = [](void *, const accelerator_shown *) {};
        h.fence = [](void *, uint32_t, const uint8_t *, size_t, reason *) { return true; };
        return h;
    }

    const std::vector<Step> steps_;
    size_t next_ = 0;
    std::string waiting_; /* on the stream */
    Sealing far_;
    std::string last_; /* packet */
    tick_t now_ = TICK_S;
    datagrams *datagrams_ = datagrams_create(true);
    framebuffer *fb_ = framebuffer_create(-1);
    std::set<uint32_t> came_, parities_;
    std::string said_;
    transport_ops ops_ = {};
    Line transport_ = {};
};

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size <= 20000)
        Session(script_of(data, size, KINDS)).run();
    return 0;
}
