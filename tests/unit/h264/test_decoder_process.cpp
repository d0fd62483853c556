// The process that decodes films for a session, and the session's side of it.
#include "tests/h264_stream.hpp"

#include <sys/socket.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <thread>

#include "rfb/film/avcodec_decoder.h"
#include "tests/decoder_elsewhere.hpp"

using namespace h264;

namespace
{

const int W = 320, H = 240;
const double GOOD = 30;

const uint8_t *bytes_of(const std::string &s)
{
    return reinterpret_cast<const uint8_t *>(s.data());
}

Image seen(const film_view &v)
{
    Image i(v.w, v.h);
    for (int y = 0; y < v.h; y++) {
        const int row = v.halved_y ? y / 2 : y;
        film_colour_row(&v.colour, v.planes.plane[0] + y * v.planes.stride[0],
                        v.planes.plane[1] + row * v.planes.stride[1],
                        v.planes.plane[2] + row * v.planes.stride[2], v.halved_x, &i.at(0, y), v.w);
    }
    return i;
}

// What the system says of a process.
std::map<std::string, std::string> status_of(pid_t pid)
{
    std::ifstream file("/proc/" + std::to_string(pid) + "/status");
    std::map<std::string, std::string> all;
    for (std::string name, value; file >> name && std::getline(file >> std::ws, value);)
        all[name] = value;
    return all;
}

// In the process's place: each request gets what `answer` makes of it.
class Impostor
{
  public:
    explicit Impostor(std::function<std::string(const decoder_request &)> answer)
    {
        memory_ = static_cast<uint8_t *>(mmap(nullptr, DECODER_MEMORY, PROT_READ | PROT_WRITE,
                                              MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
        REQUIRE(memory_ != MAP_FAILED);
        REQUIRE(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends_) == 0);
        decoder_caller_use(getpid(), ends_[0], memory_);
        thread_ = std::thread([this, answer] {
            decoder_request r;
            while (recv(ends_[1], &r, sizeof r, 0) == ssize_t(sizeof r)) {
                const std::string a = r.type >= DECODER_DECODE ? answer(r) : "";
                if (!a.empty() && send(ends_[1], a.data(), a.size(), MSG_NOSIGNAL) < 0)
                    return;
            }
        });
    }
    ~Impostor()
    {
        film_decoder_use(nullptr);
        shutdown(ends_[0], SHUT_RDWR);
        thread_.join();
        close(ends_[0]);
        close(ends_[1]);
        munmap(memory_, DECODER_MEMORY);
    }
    Impostor(const Impostor &) = delete;
    Impostor &operator=(const Impostor &) = delete;

  private:
    int ends_[2];
    uint8_t *memory_;
    std::thread thread_;
};

std::string as_bytes(const decoder_answer &a)
{
    return {reinterpret_cast<const char *>(&a), sizeof a};
}

} // namespace

TEST_CASE("decoder process: it decodes as this process does")
{
    const int csp = GENERATE(X264_CSP_I420, X264_CSP_I422, X264_CSP_I444);
    DecoderElsewhere there;
    film_memory memory = {H264_MEMORY_MOST, 0};
    Coder one(W, H, {Matrix::BT709, true, csp}), other(90, 60, {Matrix::BT601, false, csp});
    film_decoder *d = film_decoder_create_foreign(1 << 20, &memory);
    film_decoder *e = film_decoder_create_foreign(1 << 20, &memory);
    REQUIRE((d && e));
    for (int i = 0; i < 5; i++) { // each goes on where it was
        const std::string s = one.code(picture(i, W, H)), t = other.code(picture(i, 90, 60));
        film_view view;
        REQUIRE(film_decode_foreign(d, bytes_of(s), s.size(), &view));
        CHECK((view.colour.matrix == FILM_BT709 && view.colour.full));
        CHECK(psnr(seen(view), picture(i, W, H)) > GOOD);
        REQUIRE(film_decode_foreign(e, bytes_of(t), t.size(), &view));
        CHECK((view.colour.matrix == FILM_BT601 && !view.colour.full));
        CHECK(psnr(seen(view), picture(i, 90, 60)) > GOOD);
    }
    film_decoder_destroy(d);
    film_decoder_destroy(e);
    CHECK(film_decoder_works());
    CHECK(film_decoder_seconds() > 0);
}

TEST_CASE("decoder process: a refusal comes back, and what is broken ends nothing")
{
    DecoderElsewhere there;
    film_memory memory = {H264_MEMORY_MOST, 0};
    film_decoder *d = film_decoder_create_foreign(1 << 20, &memory);
    film_view view;
    const std::string ten = grey(W, H, X264_CSP_I420, 10)[0],
                      large = grey(2000, 1000, X264_CSP_I420, 8)[0];
    CHECK(!film_decode_foreign(d, bytes_of(ten), ten.size(), &view));
    CHECK(film_decoder_refusal(d) == FILM_PIXELS_UNREAD);
    CHECK(!film_decode_foreign(d, bytes_of(large), large.size(), &view));
    CHECK(film_decoder_refusal(d) == FILM_TOO_LARGE);
    const std::string nothing(1000, 'x'), whole = Coder(W, H).code(picture(0, W, H));
    CHECK(!film_decode_foreign(d, bytes_of(nothing), nothing.size(), &view));
    CHECK(film_decoder_refusal(d) == FILM_NOT_REFUSED);
    CHECK(film_decode_foreign(d, bytes_of(whole), whole.size(), &view));
    CHECK(film_decoder_works());
    film_decoder_destroy(d);
}

TEST_CASE("decoder process: there are as many decoders as it has places, and places come back")
{
    DecoderElsewhere there;
    film_memory memory = {H264_MEMORY_MOST, 0};
    std::vector<film_decoder *> all;
    for (int turn = 0; turn < 2; turn++) {
        while (film_decoder *d = film_decoder_create_foreign(1 << 20, &memory))
            all.push_back(d);
        CHECK(all.size() == DECODERS_MOST);
        for (film_decoder *d : all)
            film_decoder_destroy(d);
        all.clear();
    }
    CHECK(film_decoder_works());
}

TEST_CASE("decoder process: it has nothing of the session, and is confined before it decodes")
{
    int pipes[2]; // the session has descriptors
    REQUIRE(pipe(pipes) == 0);
    DecoderElsewhere there;
    film_memory memory = {H264_MEMORY_MOST, 0};
    const std::string whole = Coder(W, H).code(picture(0, W, H));
    film_view view;
    film_decoder *d = film_decoder_create_foreign(1 << 20, &memory);
    REQUIRE(film_decode_foreign(d, bytes_of(whole), whole.size(), &view));
    auto status = status_of(there.pid);
    CHECK(status["NoNewPrivs:"] == "1");
    CHECK(status["CapEff:"] == std::string(16, '0'));
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    CHECK(status["Seccomp:"] == "2"); // a filter
#endif
    if (geteuid() == 0) { // nobody else may look
        int open = 0;
        for (const auto &fd :
             std::filesystem::directory_iterator("/proc/" + std::to_string(there.pid) + "/fd")) {
            (void)fd;
            open++;
        }
        CHECK(open <= 4); // standard ones, and the socket
    }
    film_decoder_destroy(d);
    close(pipes[0]);
    close(pipes[1]);
}

TEST_CASE("decoder process: it decodes nothing where its confinement holds less than the session's")
{
    worker_layers layers = {};
    layers.limits = 2; // more than there is
    DecoderElsewhere there(layers);
    film_memory memory = {H264_MEMORY_MOST, 0};
    const std::string whole = Coder(W, H).code(picture(0, W, H));
    film_view view;
    film_decoder *d = film_decoder_create_foreign(1 << 20, &memory);
    CHECK(!film_decode_foreign(d, bytes_of(whole), whole.size(), &view));
    CHECK(!film_decoder_works());
    film_decoder_destroy(d);
}

TEST_CASE("decoder process: when it has gone, no film can be decoded, and nothing waits")
{
    DecoderElsewhere there;
    const std::string whole = Coder(W, H).code(picture(0, W, H));
    film_view view;
    h264_contexts *c = h264_contexts_create();
    const rect area = {0, 0, W, H};
    REQUIRE(h264_contexts_decode(c, area, bytes_of(whole), whole.size(), &view) == H264_SHOWN);
    there.end();
    CHECK(h264_contexts_decode(c, area, bytes_of(whole), whole.size(), &view) == H264_GONE);
    CHECK(!film_decoder_works());
    CHECK(!film_decoder_create());
    CHECK(h264_contexts_decode(c, area, bytes_of(whole), whole.size(), &view) == H264_GONE);
    h264_contexts_destroy(c);
}

TEST_CASE("decoder process: an answer that there cannot be is the end of it")
{
    decoder_answer a = {DECODER_DECODED, 0, W, H, 1, 1, 0, 0};
    std::string bytes;
    bool right = false;
    SECTION("one that there can be")
    {
        right = true;
    }
    SECTION("too large")
    {
        a.w = a.h = 5000;
    }
    SECTION("a product that overflows")
    {
        a.w = a.h = 1 << 30;
    }
    SECTION("nothing")
    {
        a.w = 0;
    }
    SECTION("less than nothing")
    {
        a.w = a.h = -1;
    }
    SECTION("a matrix that is none")
    {
        a.matrix = FILM_MATRICES;
    }
    SECTION("halved in one direction only, the wrong one")
    {
        a.halved_x = 0;
    }
    SECTION("a type that is none")
    {
        a.type = DECODER_NONE + 1;
    }
    SECTION("no film, ever")
    {
        a.type = DECODER_NONE;
    }
    SECTION("too short")
    {
        bytes = "x";
    }
    Impostor there([&](const decoder_request &) { return bytes.empty() ? as_bytes(a) : bytes; });
    film_memory memory = {H264_MEMORY_MOST, 0};
    film_decoder *d = film_decoder_create_foreign(1 << 20, &memory);
    film_view view;
    CHECK(film_decode_foreign(d, bytes_of("coded"), 5, &view) == right);
    CHECK(film_decoder_works() == right);
    film_decoder_destroy(d);
}

TEST_CASE("decoder process: a far end's film has the size that it has to have")
{
    decoder_answer a = {DECODER_DECODED, 0, W, H, 1, 1, 0, 0};
    const bool right = GENERATE(true, false);
    a.h = right ? H : H - 1;
    Impostor there([&](const decoder_request &) { return as_bytes(a); });
    film_decoder *d = film_decoder_create();
    film_planes planes;
    CHECK(film_decode(d, bytes_of("coded"), 5, true, W - 1, H - 1, &planes) == right);
    CHECK(film_decoder_works() == right);
    film_decoder_destroy(d);
}

TEST_CASE("decoder process: libavcodec is found without being loaded")
{
    CHECK(avcodec_decoder_is_installed());
    film_decoder_use(nullptr);
    CHECK(!film_decoder_works());
    film_decoder_load();
    CHECK(film_decoder_works());
}
