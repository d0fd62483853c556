/* What a viewer says as datagrams and on the stream, in turn, as fuzzer input, to a far end that
 * pushes (rfb/pusher/pusher.h): behind the seal, and behind its first SetEncodings and the word
 * that its stream is counted. The server is tame.
 *
 * As long as the datagrams repeat only what is said on the stream, the server hears all that is for
 * it, once, in its order. Whatever they say, it hears whole messages only, what the viewer gets are
 * good blocks in good packets, and it ends when the viewer has.
 *
 * Link with libFuzzer (clang -fsanitize=fuzzer), or with replay.cpp. */
#include <linux/sockios.h>
#include <sys/ioctl.h>

#include "pushed_viewer.hpp"
#include "rfb/datagrams/body.h"
#include "rfb/pusher/words.h"
#include "script.hpp"
#include "sealing.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

using namespace pushing;

namespace
{

enum { STREAM, REPEAT, BODY, PACKET, KINDS };

/* Where a step of REPEAT has what it says; `mark` is told as it came unless it is not 0. */
enum { AT_MARK = 0, AT_NEWEST = 2, AT_AGE = 6, AT_BEFORE = 10, AT_FROM = 11, AT_SIZE = 13 };

std::string counts()
{
    blocks_message m = {};
    m.kind = BLOCKS_COUNT;
    return written([&](uint8_t *out) { return blocks_write(out, &m); });
}

/* Whether the viewer begins to count anew in this: the numbers of its bytes mean nothing then. */
bool counts_again(const std::string &bytes)
{
    client_framing f;
    client_frame found;
    client_framing_begin(&f);
    for (size_t at = 0;;) {
        at += client_framing_read(&f, reinterpret_cast<const uint8_t *>(bytes.data()) + at,
                                  bytes.size() - at, &found);
        if (found.event == CLIENT_FRAME_MESSAGE && found.understood &&
            found.message.type == CLIENT_BLOCKS && found.message.blocks.kind == BLOCKS_COUNT)
            return true;
        if (found.event != CLIENT_FRAME_MESSAGE && found.event != CLIENT_FRAME_PART)
            return false;
    }
}

/* The viewer's end of the door and of the datagrams. */
class Way
{
  public:
    int door; /* the pusher's */
    Sealing ends;

    Way() : ends(SEALED_TO_FAR_END, SEALED_TO_VIEWER)
    {
        door_opening o = {{}, 60123};
        int pair[2];
        std::copy(Sealing::secret(), Sealing::secret() + SEALED_SECRET, o.secret);
        must(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0, "there is a door");
        must(send(pair[0], &o, sizeof o, 0) == ssize_t(sizeof o), "it has room");
        must(descriptors_send(pair[0], "w", 1, &ends.given, 1), "it takes a socket");
        close(ends.given);
        door_ = pair[0];
        door = pair[1];
    }
    ~Way()
    {
        close(door_);
    }
    Way(const Way &) = delete;
    Way &operator=(const Way &) = delete;

    void hear()
    {
        std::string body;
        body_down down;
        block b;
        reason why = {};
        while (ends.hear(body)) {
            const uint8_t *bytes = reinterpret_cast<const uint8_t *>(body.data());
            must(body_read_down(bytes, body.size(), &down), "a packet is well-formed");
            must(down.size == 0 ||
                     (block_unpack(&b, down.block, down.size, &why) && b.generation == 1 &&
                      b.codec != BLOCK_COPY && b.codec != BLOCK_OLD &&
                      b.area.x + b.area.w <= WIDTH && b.area.y + b.area.h <= HEIGHT),
                 "a block in a packet is good, and needs no other");
            mark = down.mark;
        }
    }

    uint16_t mark = 0; /* of the newest packet */

  private:
    int door_;
};

class Viewer
{
  public:
    explicit Viewer(const std::vector<Step> &steps) : steps_(steps)
    {
        for (const Step &s : steps) {
            if (s.kind == STREAM)
                text_ += s.bytes;
            honest = honest && (s.kind != BODY || s.bytes.size() <= BODY_UP_HEAD);
        }
        honest = honest && !counts_again(text_);
    }
    bool honest = true;

    void run()
    {
        std::string expected;
        client_framing f;
        bool asked = false;
        Had had;

        client_framing_begin(&f);
        client_framing_begin(&framing_);
        for_server(f, had, text_, expected, asked);
        p_.viewer.say(encodings() + counts());
        while (!p_.server.gone && !p_.viewer.gone)
            turn();
        p_.hear_out();
        hear();
        must(!honest || heard_ == expected, "the server hears all that is for it, once");
    }

  private:
    /* Each step is heard before the next one. */
    void turn()
    {
        pollfd fds[3] = {{p_.server.fd, short(POLLIN | (p_.server.out.empty() ? 0 : POLLOUT)), 0},
                         {p_.viewer.fd, short(POLLIN | (p_.viewer.out.empty() ? 0 : POLLOUT)), 0},
                         {way_.ends.fd, POLLIN, 0}};
        const bool waits = unread(p_.viewer.fd) || unread(way_.ends.fd);

        if (!waits && p_.viewer.out.empty() && next_ < steps_.size())
            step(steps_[next_++]);
        else if (!waits && p_.viewer.out.empty())
            shutdown(p_.viewer.fd, SHUT_WR);
        else
            poll(fds, 3, waits ? 0 : -1);
        if (waits)
            std::this_thread::yield(); /* nothing says when they are read */
        p_.server.move();
        p_.viewer.move();
        hear();
    }
    static bool unread(int fd)
    {
        int bytes = 0;
        return ioctl(fd, SIOCOUTQ, &bytes) == 0 && bytes > 0;
    }
    void hear()
    {
        bool asked = false;

        heard_bytes_ += p_.server.in.size() + p_.viewer.in.size();
        must(heard_bytes_ < OUTPUT_MAX, "it does not speak without end");
        must(for_server(framing_, none_, p_.server.in, heard_, asked),
             "the server hears what it can frame");
        p_.server.in.clear();
        if (asked && p_.server.out.empty())
            p_.server.say(shown_);
        stream_.take(p_.viewer.in);
        heard_bytes_ -= p_.viewer.in.size(); /* what is left is heard again */
        way_.hear();
    }
    void step(const Step &s)
    {
        if (s.kind == STREAM)
            p_.viewer.say(s.bytes);
        else
            way_.ends.put(s.kind == PACKET ? s.bytes
                          : s.kind == BODY ? way_.ends.seal(s.bytes)
                                           : way_.ends.seal(repeats(s)));
    }
    /* A body that says what is said on the stream, before that has it. */
    std::string repeats(const Step &s) const
    {
        const size_t from = s.number(AT_FROM, 2) % (text_.size() + 1);
        const size_t size = s.number(AT_SIZE, 2) % (BODY_SAID_MAX + 1);
        const uint32_t other = s.number(AT_MARK, 2);
        body_up up = {};

        up.mark = uint16_t(other ? other : way_.mark);
        up.tells = true;
        up.newest = s.number(AT_NEWEST, 4);
        up.age_us = s.number(AT_AGE, 4);
        std::fill_n(up.before, sizeof up.before, uint8_t(s.number(AT_BEFORE, 1)));
        up.at = uint32_t(from);
        up.said = reinterpret_cast<const uint8_t *>(text_.data()) + from;
        up.size = std::min(size, text_.size() - from);
        return written([&](uint8_t *out) { return body_write_up(out, &up); });
    }

    const std::vector<Step> &steps_;
    size_t next_ = 0;
    std::string text_; /* all that the viewer says on the stream, from where it counts on */
    std::string heard_;
    size_t heard_bytes_ = 0;
    client_framing framing_ = {};
    Had none_;
    Heard stream_;
    const std::string shown_ = picture();
    Way way_;
    Pushed p_{false, way_.door};
};

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > INPUT_MAX)
        return 0;
    const std::vector<Step> steps = script_of(data, size, KINDS);
    Viewer(steps).run();
    return 0;
}
