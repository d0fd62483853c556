/* Viewers that take blocks, a server that nobody here wrote, and the far end between them. */
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "accelerator.hpp"
#include "far_machine.hpp"
#include "rfb/blocks/block.h"
#include "rfb/proto/bytes.h"
#include "rfb/proto/encodings/encodings.h"
#include "rfb/proto/message_types.h"
#include "tests/e2e/check.hpp"

namespace accelerator
{

/* How the accelerator shows which blocks it makes. */
inline const std::string SPOKEN =
    "blocks=" + std::to_string(BLOCKS_OLDEST) + "-" + std::to_string(BLOCKS_NEWEST);

/* A viewer as the program is without options, but that pictures come exact from the start. */
inline e2e::ViewerOptions takes_blocks(const std::string &address)
{
    e2e::ViewerOptions o;
    o.address = address;
    o.blocks = true;
    o.quality = o.compress = LEVEL_AUTO;
    o.lossless_refresh = true;
    return o;
}

/* The far end pushes to it. */
inline void require_pushed(e2e::Viewer &viewer)
{
    e2e::require_connected(viewer);
    bool pushed = e2e::wait_until(e2e::PATIENCE, [&] { return viewer.stats().pushed; });
    INFO(viewer.describe());
    REQUIRE(pushed);
}

/* The processes that push for this accelerator: children of its spawner. */
inline std::vector<pid_t> pushers_of(pid_t accelerator)
{
    std::vector<pid_t> all;
    for (pid_t spawner : e2e::children_of(accelerator))
        for (pid_t child : e2e::children_named(spawner, "vnchl-session"))
            all.push_back(child);
    return all;
}

inline pid_t pusher_of(const Accelerator &a)
{
    std::vector<pid_t> all;
    e2e::wait_until(e2e::PATIENCE, [&] {
        all = pushers_of(a.process->pid());
        return !all.empty();
    });
    REQUIRE(all.size() == 1);
    return all.front();
}

/* Memory of a process of which only the number is known, kB. */
inline long memory_of(pid_t pid, const std::string &which = "VmRSS")
{
    std::istringstream status(e2e::read_file("/proc/" + std::to_string(pid) + "/status"));
    for (std::string line; std::getline(status, line);)
        if (line.compare(0, which.size() + 1, which + ":") == 0)
            return atol(line.c_str() + which.size() + 1);
    return 0;
}

/* A server, an accelerator before it, and one viewer that is pushed to. */
class Pushed
{
  public:
    explicit Pushed(std::unique_ptr<e2e::Server> behind, const std::vector<std::string> &more = {})
        : server(std::move(behind)), accelerator(server->address, more)
    {
    }
    e2e::ViewerOptions options() const
    {
        return takes_blocks(accelerator.address());
    }
    e2e::Viewer &view(const e2e::ViewerOptions &o)
    {
        viewer = std::make_unique<e2e::Viewer>(o);
        require_pushed(*viewer);
        e2e::require_first_picture(*viewer);
        return *viewer;
    }
    e2e::Viewer &view()
    {
        return view(options());
    }
    /* Once nothing moves, it is exact. */
    void check()
    {
        e2e::check_picture(*viewer, server->screen->capture());
    }

    std::unique_ptr<e2e::Server> server;
    Accelerator accelerator;
    std::unique_ptr<e2e::Viewer> viewer;
};

/* A viewer of a few bytes: it lists the blocks of some versions, reads what comes, and says how far
 * it has read. It draws nothing. */
class BlockClient
{
  public:
    struct Seen {
        uint64_t blocks = 0, jpeg = 0, bytes = 0, pictures = 0, updates = 0;
        std::string accelerator; /* how it has shown itself */
        int quality = 0;         /* of the newest JPEG */
    };

    template <typename At>
    explicit BlockClient(At at, const std::vector<int32_t> &encodings = usual()) : raw(at)
    {
        raw.greet();
        raw.set_encodings(encodings);
    }
    static std::vector<int32_t> usual()
    {
        return {ENCODING_RAW, PSEUDO_ACCELERATOR, PSEUDO_BLOCKS_0 + BLOCKS_NEWEST};
    }
    void wish(const blocks_wishes &wishes)
    {
        blocks_message m = {};
        m.kind = BLOCKS_WISHES;
        m.wishes = wishes;
        say(m);
    }
    /* It leaves on purpose. */
    void goodbye()
    {
        blocks_message m = {};
        m.kind = BLOCKS_GOODBYE;
        say(m);
    }
    /* One message. False: it is none that this client was to get, or all has ended. */
    bool next()
    {
        std::string type = raw.hear(1);
        if (type.empty())
            return false;
        if (type[0] == static_cast<char>(SERVER_BLOCK))
            return block();
        return type[0] == SERVER_UPDATE && update();
    }
    /* Until a whole picture has come behind those that had come before. */
    bool picture()
    {
        for (uint64_t before = seen.pictures; seen.pictures == before;)
            if (!next())
                return false;
        return true;
    }

    RawClient raw;
    Seen seen;

  private:
    void say(const blocks_message &m)
    {
        uint8_t bytes[BLOCKS_MESSAGE_MAX];
        size_t size = blocks_write(bytes, &m);
        raw.say(std::string(reinterpret_cast<char *>(bytes), size));
    }
    bool block()
    {
        std::string head = raw.hear(BLOCK_HEAD);
        struct block b;
        reason why;
        if (head.size() != BLOCK_HEAD ||
            !block_unpack_head(&b, reinterpret_cast<const uint8_t *>(head.data()), &why) ||
            raw.hear(b.size).size() != b.size)
            return false;
        seen.blocks++;
        seen.bytes += 1 + BLOCK_HEAD + b.size;
        seen.pictures += b.last;
        seen.jpeg += block_is_jpeg(&b);
        if (block_is_jpeg(&b))
            seen.quality = b.quality;
        blocks_message m = {};
        m.kind = BLOCKS_ACKNOWLEDGE;
        m.marks = 1;
        m.mark[0].sequence = b.sequence;
        say(m);
        return true;
    }
    /* Only the accelerator's word of itself is expected in one, and raw pixels. */
    bool update()
    {
        std::string head = raw.hear(3);
        if (head.size() != 3)
            return false;
        unsigned count = get16(reinterpret_cast<const uint8_t *>(head.data()) + 1);
        seen.updates++;
        for (unsigned i = 0; i < count; i++) {
            std::string rectangle = raw.hear(RECTANGLE_HEAD);
            if (rectangle.size() != RECTANGLE_HEAD)
                return false;
            rect r;
            int32_t encoding =
                server_read_rectangle(reinterpret_cast<const uint8_t *>(rectangle.data()), &r);
            size_t size = encoding == PSEUDO_ACCELERATOR
                              ? static_cast<size_t>(r.w)
                              : static_cast<size_t>(r.w) * static_cast<size_t>(r.h) * 4;
            std::string body = raw.hear(size);
            if (body.size() != size)
                return false;
            if (encoding == PSEUDO_ACCELERATOR)
                seen.accelerator = body;
        }
        return true;
    }
};

} // namespace accelerator
