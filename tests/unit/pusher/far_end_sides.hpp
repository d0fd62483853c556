// A server and a viewer for the far end of far_end.hpp, each with a thread that reads.
#pragma once

#include <set>

#include "far_end.hpp"
#include "rfb/blocks/references/reference.h"
#include "tests/unit/shown_picture.hpp"

namespace far_end
{

// Answers requests with what has changed in its picture, which is grey at first. What the viewer
// says to it is kept.
class Server : public Awaited
{
  public:
    // `fd` stays the caller's, who shuts it down before the end.
    Server(int fd, int width, int height) : Server(fd, Picture(width, height, 0x404040)) {}
    // The same with another picture at first.
    Server(int fd, const Picture &first) : picture(first), fd_(fd)
    {
        client_framing_begin(&framing_);
        add({0, 0, first.w, first.h});
        thread_ = std::thread([this] { listen(); });
    }
    ~Server()
    {
        shutdown(fd_, SHUT_RDWR);
        thread_.join();
    }
    // Draws, and returns what has changed. It is shown as soon as it is asked for.
    void draw(const std::function<rect(Picture &)> &f)
    {
        change([&] { add(f(picture)); });
        answer();
    }
    // Another size: the update with this rectangle says so. All of it is to be shown.
    void resize(const std::string &told, Picture next)
    {
        std::lock_guard<std::mutex> hold(speaks_);
        change([&] {
            picture = std::move(next);
            changed_.clear();
            add({0, 0, picture.w, picture.h});
        });
        send_all(fd_, update(1) + told);
    }
    // Between its own messages.
    bool say(const std::string &bytes)
    {
        std::lock_guard<std::mutex> hold(speaks_);
        return send_all(fd_, bytes);
    }
    bool await_heard(const std::string &bytes)
    {
        return await([&] { return heard.find(bytes) != std::string::npos; });
    }
    // With the lock of with() or await().
    Picture picture;
    std::string heard;           // but for requests, and how it is to speak
    std::vector<int32_t> listed; // in the newest SetEncodings
    unsigned requests = 0, full = 0;
    std::string broken; // why no boundaries are known
    bool takes_buttons = false;
    bool answers = true;

  private:
    void add(rect r)
    {
        if (r.w > 0 && r.h > 0)
            changed_.push_back(r);
    }
    void hear(const client_frame &f)
    {
        if (f.event == CLIENT_FRAME_UNKNOWN || f.event == CLIENT_FRAME_HOSTILE)
            broken = client_framing_why(&framing_);
        else if (f.type == CLIENT_UPDATE_REQUEST) {
            requests++;
            asked_ = true;
            full += !f.message.incremental;
            if (!f.message.incremental)
                add(rect_intersect(f.message.rect, {0, 0, picture.w, picture.h}));
        } else if (f.type == CLIENT_SET_ENCODINGS) {
            listed.clear();
            for (unsigned i = 0; i < f.message.encodings; i++)
                listed.push_back(client_message_encoding(&f.message, i));
        } else if (f.type != CLIENT_SET_PIXEL_FORMAT) {
            heard.append(reinterpret_cast<const char *>(f.bytes), f.size);
        }
    }
    void listen()
    {
        uint8_t bytes[65536];
        for (ssize_t n; (n = recv(fd_, bytes, sizeof bytes, 0)) > 0; answer())
            change([&] {
                client_frame f;
                framing_.extended_buttons = takes_buttons;
                for (size_t at = 0; broken.empty();) {
                    at += client_framing_read(&framing_, bytes + at, size_t(n) - at, &f);
                    if (f.event == CLIENT_FRAME_NONE)
                        break;
                    hear(f);
                }
            });
    }
    void answer()
    {
        std::lock_guard<std::mutex> hold(speaks_);
        std::string out;
        change([&] {
            if (!asked_ || changed_.empty() || !answers)
                return;
            out = update(unsigned(changed_.size()));
            for (rect r : changed_)
                out += raw(picture, r);
            changed_.clear();
            asked_ = false;
        });
        if (!out.empty())
            send_all(fd_, out);
    }

    int fd_;
    client_framing framing_;
    bool asked_ = false;
    std::vector<rect> changed_;
    std::mutex speaks_;
    std::thread thread_;
};

enum Acks { IN_TIME, LATE, NEVER, FALSE_ONES };

// Who is told what comes on the stream, too, from the viewer's thread.
struct Also {
    std::function<void(const block &)> block;
    std::function<void(int, int)> resized;
    struct responses *responses = nullptr;
    bool no_references = false; // it takes none,
    bool no_foretold = false;   // nor text that both ends foretell
    unsigned kept_mib = KEPT_MIB_USUAL;
    // of each block, of one that shows all itself
    std::function<void(const struct block &)> counts = nullptr;
    bool sound = false; // it takes the server's
};

// Reads with the code of a session, and keeps what it is told.
class Viewer : public Awaited
{
  public:
    // `fd` stays the caller's, who shuts it down before the end.
    Viewer(int fd, int width, int height, Acks acks = IN_TIME, bool jpeg = false,
           const Also &also = {})
        : acks_(acks), fd_(fd), also_(also)
    {
        say(encodings(false, !also.no_references, !also.no_foretold, also.kept_mib, also.sound) +
            wishes(jpeg));
        fb_ = framebuffer_create(-1);
        reader_ = framebuffer_reader_of(fb_);
        old_ = old_picture_create();
        const encoding_options none = {};
        const scheduler_options usual = {};
        pushed_ = pushed_create(&none, &usual);
        pushed_begin(pushed_, false);
        refusals(); // its first wishes
        stream_ = stream_create(socket_adopt(fcntl(fd, F_DUPFD_CLOEXEC, 0)));
        encoding_options o = {};
        o.blocks = o.clipboard = true;
        o.sound = also.sound;
        o.kept_mib = also.kept_mib;
        encoding_list_all(&o.list);
        reason why;
        REQUIRE(message_source_open(&source_, stream_, fb_, &o, width, height, &why));
        thread_ = std::thread([this] { read(); });
    }
    ~Viewer()
    {
        shutdown(fd_, SHUT_RDWR);
        hold(false);
        thread_.join();
        source_.destroy(source_.self);
        old_picture_destroy(old_);
        pushed_destroy(pushed_);
        stream_destroy(stream_);
        framebuffer_unmap(reader_);
        framebuffer_destroy(fb_);
    }
    bool say(const std::string &bytes)
    {
        std::lock_guard<std::mutex> hold(speaks_);
        return send_all(fd_, bytes);
    }
    // It still has this picture, of an earlier connection, and says so. Tiles and digests as long
    // as it would have them, or these.
    void has(const Picture &p, const old_picture_grain *grain = nullptr)
    {
        old_picture_give(old_, blocks_test::Shown(p).reader, grain);
        say_old_picture();
    }
    // It reads nothing more, or again.
    void hold(bool on)
    {
        change([&] { holds_ = on; });
    }
    // What can be seen. With the lock of await() and with().
    Picture seen()
    {
        framebuffer_view view;
        if (!framebuffer_lock(reader_, &view, false))
            return Picture(0, 0);
        Picture p(view.width, view.height);
        std::copy_n(view.pixels, p.pixels.size(), p.pixels.begin());
        framebuffer_unlock(reader_);
        return p;
    }
    bool await_picture(const Picture &p)
    {
        return await([&] { return seen() == p; });
    }
    bool await_told(const std::string &line)
    {
        return await([&] { return told.find(line) != std::string::npos; });
    }

    // With the lock of await() and with().
    std::string told; // a line for each message but blocks
    unsigned blocks = 0, drawn = 0, lossy = 0, frames = 0;
    unsigned repeated = 0; // blocks that refer, and say what one did before: they may draw nothing
    uint32_t newest = 0;   // block
    uint64_t bytes = 0;    // of blocks
    bool digests = false;  // the far end takes them,
    std::string key;       // by this key
    unsigned asked = 0;    // for all of the picture, because something of the old one was wrong
    bool compared = false; // the far end has done so with the old one
    Picture first{0, 0};   // frame
    struct resolver_counts references = {}; // blocks that referred to what it has
    std::string heard;                      // samples of the server's sound
    unsigned sound_messages = 0;
    bool ended = false;
    std::string why;

  private:
    void tell(const std::string &line)
    {
        change([&] { told += line + "\n"; });
    }
    void publish(bool frame)
    {
        change([&] {
            framebuffer_publish(fb_);
            if (frame && frames++ == 0)
                first = seen();
        });
    }
    void say_old_picture()
    {
        bytes_held messages;
        if (!old_picture_take(old_, &messages))
            return;
        const std::string said(reinterpret_cast<const char *>(bytes_first(&messages)),
                               messages.size);
        change([&] { asked += said[0] == CLIENT_UPDATE_REQUEST; });
        say(said);
        bytes_deinit(&messages);
    }
    std::string refusals()
    {
        return written([&](uint8_t *o) { return pushed_write(pushed_, o, true, tick_now()); });
    }
    // One that only shows what comes on the stream has not all that is referred to.
    void say_refusals()
    {
        const std::string bytes = refusals();
        if (!also_.block && !bytes.empty())
            say(bytes);
        change([&] {
            struct pushed_figures figures;
            if (::pushed_figures(pushed_, 0, &figures))
                references = figures.references;
        });
    }
    // All that a block says but its number.
    static std::string words_of(const block &b)
    {
        std::ostringstream s;
        s << b.codec << " " << b.area.w << "x" << b.area.h << "+" << b.area.x << "+" << b.area.y
          << " ";
        s.write(reinterpret_cast<const char *>(b.payload), std::streamsize(b.size));
        return s.str();
    }
    void read_block(const block &b)
    {
        const uint32_t sequence = b.sequence;
        if (also_.block)
            also_.block(b);
        if (also_.counts)
            also_.counts(b);
        change([&] {
            const bool keeps = b.codec == BLOCK_REFERENCE && b.payload[0] == REFERENCE_KEEP;
            blocks += !block_ends_old(&b) && !keeps; // which draw nothing
            repeated += block_is_reference(&b) && !keeps && !said_.insert(words_of(b)).second;
            compared = compared || block_ends_old(&b);
            bytes += BLOCK_HEAD + b.size;
            newest = sequence;
        });
        if (acks_ == FALSE_ONES) {
            uint32_t n = uint32_t(random_());
            say(acknowledge(n) + acknowledge(sequence + n % 100000) + acknowledge(sequence - n) +
                acknowledge(0) + acknowledge(UINT32_MAX) + acknowledge(sequence));
        }
        if (acks_ == LATE && blocks % 16 == 0)
            say(acknowledge(sequence - 8));
    }
    void acknowledge_dry()
    {
        if (acks_ != NEVER && stream_waiting(stream_) == 0 && newest != acknowledged_)
            say(acknowledge(acknowledged_ = newest));
    }
    void read()
    {
        source_handlers h = handlers();
        reason failed = {};
        do
            await([&] { return !holds_; });
        while (source_.receive(source_.self, &h, &failed));
        change([&] {
            ended = true;
            why = failed.text;
        });
    }
    static Viewer *of(void *user)
    {
        return static_cast<Viewer *>(user);
    }
    source_handlers handlers()
    {
        source_handlers h = {};
        h.user = this;
        h.old = old_;
        h.responses = also_.responses;
        h.pushed = pushed_;
        h.begun = [](void *) { return true; };
        h.ended = [](void *u) {
            of(u)->say_refusals();
            of(u)->acknowledge_dry();
            of(u)->say_old_picture();
        };
        h.update_begun = [](void *) {};
        h.drawn = [](void *u, rect, int32_t, bool loss) {
            of(u)->change([=] {
                of(u)->drawn++;
                of(u)->lossy += loss;
            });
            return true;
        };
        h.shown = [](void *u, bool pixels) {
            if (pixels)
                of(u)->publish(true);
        };
        h.partly = [](void *u) { of(u)->publish(false); };
        h.block = [](void *u, const block *b, bool) { of(u)->read_block(*b); };
        h.resized = [](void *u, int w, int hh) {
            if (of(u)->also_.resized)
                of(u)->also_.resized(w, hh);
            of(u)->tell("resized " + std::to_string(w) + "x" + std::to_string(hh));
        };
        h.cursor = [](void *u, int w, int hh, int x, int y, uint32_t *pixels) {
            std::ostringstream s;
            s << "cursor " << w << "x" << hh << " " << x << "," << y;
            if (pixels)
                s << " " << std::hex << pixels[0];
            free(pixels);
            of(u)->tell(s.str());
        };
        h.leds = [](void *u, unsigned leds) { of(u)->tell("leds " + std::to_string(leds)); };
        h.takes_key_codes = [](void *u) { of(u)->tell("codes"); };
        h.takes_more_buttons = [](void *u) { of(u)->tell("buttons"); };
        h.takes_steps = [](void *u, bool on) { of(u)->tell(on ? "steps" : "places"); };
        h.has_sound = [](void *u) { of(u)->tell("sound"); };
        h.sound = [](void *u, const void *samples, size_t size) {
            of(u)->change([=] { of(u)->heard.append(static_cast<const char *>(samples), size); });
        };
        h.sound_message = [](void *u) { of(u)->change([=] { of(u)->sound_messages++; }); };
        h.name = [](void *u, char *t) { of(u)->tell_text("name ", t); };
        h.screens = [](void *u, const screen_layout *l) {
            of(u)->tell("screens " + std::to_string(l->count));
        };
        h.resize_refused = [](void *u, unsigned r) { of(u)->tell("refused " + std::to_string(r)); };
        h.cut_text = [](void *u, char *t) { of(u)->tell_text("text ", t); };
        h.cut_text_dropped = [](void *u, size_t size, size_t) {
            of(u)->tell("dropped " + std::to_string(size));
        };
        h.clipboard = [](void *u, const extended_clipboard *m) {
            of(u)->tell("clipboard " + std::to_string(m->action));
            free(m->provided);
        };
        h.bell = [](void *u) { of(u)->tell("bell"); };
        h.continuous_updates_ended = [](void *u) { of(u)->tell("end of continuous updates"); };
        h.server_kind = [](void *u, bool) { of(u)->tell("server kind"); };
        h.accelerated = [](void *u, const accelerator_shown *s) {
            of(u)->tell(std::string("accelerated ") + s->congestion + " " +
                        std::to_string(s->blocks_oldest) + "-" + std::to_string(s->blocks_newest) +
                        (s->datagrams_port
                             ? " datagrams " + std::to_string(s->datagrams_port) + " " +
                                   std::string(reinterpret_cast<const char *>(s->datagrams_secret),
                                               ACCELERATOR_SECRET)
                             : "") +
                        (s->ticket_port
                             ? " ticket " + std::to_string(s->ticket_port) + " " +
                                   std::string(reinterpret_cast<const char *>(s->ticket_secret),
                                               ACCELERATOR_SECRET)
                             : ""));
            of(u)->change([&] {
                of(u)->digests = s->digests;
                of(u)->key.assign(s->digest_key, s->digest_key + BLOCKS_KEY_BYTES);
            });
            if (s->digests && old_picture_wanted(of(u)->old_, s->digest_key))
                of(u)->say_old_picture();
        };
        h.fence = [](void *u, uint32_t, const uint8_t *, size_t, reason *) {
            of(u)->tell("fence");
            return true;
        };
        return h;
    }
    void tell_text(const std::string &what, char *text)
    {
        std::string all = text;
        free(text);
        tell(what + (all.size() > 60 ? std::to_string(all.size()) + " bytes" : all));
    }

    Acks acks_;
    int fd_;
    Also also_;
    framebuffer *fb_;
    framebuffer_reader *reader_;
    old_picture *old_;
    pushed *pushed_;
    stream *stream_;
    source source_ = {};
    bool holds_ = false;
    std::set<std::string> said_; // by blocks that refer
    uint32_t acknowledged_ = 0;
    std::mt19937 random_{1};
    std::mutex speaks_;
    std::thread thread_;
};

// All three. The viewer is there from the beginning.
struct Scene {
    Far far;
    Server server;
    Viewer viewer;

    explicit Scene(int width = 200, int height = 120, Acks acks = IN_TIME, bool jpeg = false)
        : far(width, height), server(far.server, width, height),
          viewer(far.viewer, width, height, acks, jpeg)
    {
    }
    explicit Scene(const Picture &first, Acks acks = IN_TIME, bool jpeg = false)
        : far(first.w, first.h), server(far.server, first),
          viewer(far.viewer, first.w, first.h, acks, jpeg)
    {
    }
    Picture picture()
    {
        return server.with([&] { return server.picture; });
    }
    // The viewer sees what the server has.
    void check()
    {
        const Picture p = picture();
        bool same = viewer.await_picture(p);
        // none came before its picture's size; one may be there and not be drawn yet
        bool all_drawn = viewer.await([&] {
            const auto done = viewer.drawn + viewer.references.refused;
            return viewer.blocks >= done && viewer.blocks <= done + viewer.repeated;
        });
        viewer.with([&] {
            INFO(viewer.told << viewer.why);
            INFO(viewer.blocks << " blocks, " << viewer.drawn << " drawn, "
                               << viewer.references.refused << " refused, " << viewer.repeated
                               << " repeated, " << viewer.frames << " frames");
            CHECK(same);
            CHECK(all_drawn);
        });
    }
    // The loop has run since: input has gone through it.
    void pass_by()
    {
        static std::atomic<uint32_t> number{0x01000000};
        const std::string one = key(++number);
        viewer.say(one);
        REQUIRE(server.await_heard(one));
    }
};

} // namespace far_end
