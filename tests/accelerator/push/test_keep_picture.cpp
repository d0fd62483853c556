/* A picture that is kept on the disk: the window of a later run gets only what is different, and
 * nobody but the same server is told of it. A real server, the accelerator with TLS, a thin link.
 */
#include <sys/stat.h>

#include <filesystem>

#include "again.hpp"

using namespace e2e;
using namespace accelerator;

namespace
{

const int W = 400, H = 300;

std::unique_ptr<Server> start_server()
{
    return can_run() ? start_tigervnc({W, H, {"-SecurityTypes", "TLSNone,None"}, true}) : nullptr;
}

const std::vector<std::string> WITH_TLS = {"--security", "x509"};

/* Runs of the program, one after the other, that keep what they keep in one folder. */
struct Runs {
    TempDir home;
    Desk desk;
    Counted &counted;

    explicit Runs(Counted &c) : counted(c) {}

    std::vector<std::string> pictures() const
    {
        std::vector<std::string> all;
        const std::filesystem::path folder = home.file("vnchl");
        if (std::filesystem::exists(folder))
            for (const auto &entry : std::filesystem::directory_iterator(folder))
                if (entry.path().filename().string().rfind("picture-", 0) == 0)
                    all.push_back(entry.path());
        return all;
    }
    /* Shows this server's screen, by a connection with a certificate or without encryption. Returns
     * the bytes that came. `by_digests`: what is kept is said first. */
    uint64_t run(Again &to, bool certificate, std::vector<std::string> more = {"--keep-picture"},
                 bool by_digests = false)
    {
        more.insert(more.end(), {"--security-types", certificate ? "X509None" : "None"});
        if (certificate)
            more.insert(more.end(), {"--x509-ca", to.accelerator.certificate()});
        const uint64_t before = counted.bytes();
        counted.lead_to(to.link.port);
        InWindow shown(desk, counted.address(), more, home.path(), by_digests ? &counted : nullptr);
        shown.require_shows(to.server->screen->capture());
        const uint64_t bytes = counted.bytes() - before;
        shown.close();
        const bool told = shown.process->err().find("the picture is not kept: nothing proves") !=
                          std::string::npos;
        CHECK(told == !certificate);
        return bytes;
    }
    /* The bytes of a run that gets what is different. */
    uint64_t run_by_digests(Again &to)
    {
        return run(to, true, {"--keep-picture"}, true);
    }
};

} // namespace

TEST_CASE("keep picture: a later run gets what is different, as long as the user wants it",
          "[push]")
{
    auto behind = start_server();
    if (!behind)
        return;
    Counted counted;
    Again a(std::move(behind), counted, WITH_TLS);
    Runs runs(counted);
    put(*a.server, noise(W, H, 1), 0, 0);
    const uint64_t first = runs.run(a, true);
    REQUIRE(runs.pictures().size() == 1);
    struct stat status = {};
    REQUIRE(stat(runs.pictures()[0].c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0600);

    const uint64_t still = runs.run_by_digests(a);
    put(*a.server, noise(100, 80, 2), 200, 100);
    const uint64_t changed = runs.run_by_digests(a);
    INFO(first << ", " << still << ", " << changed << " bytes");
    CHECK(still < first / 3); /* most of it is what leaves before the digests are there */
    CHECK(changed < first / 2);

    write_file(runs.pictures()[0], "it is damaged");
    const uint64_t damaged = runs.run(a, true);
    INFO(damaged << " bytes");
    CHECK(damaged > first * 3 / 4);
    CHECK(runs.run_by_digests(a) < first / 2); /* it was kept anew */

    CHECK(runs.run(a, true, {}) > first * 3 / 4); /* the option is not there */
    CHECK(runs.pictures().empty());
    runs.run(a, true, {"--keep-picture", "--recent", "off"});
    CHECK(runs.pictures().empty());
}

TEST_CASE("keep picture: another server at the same address is told nothing", "[push]")
{
    auto behind = start_server();
    if (!behind)
        return;
    Counted counted;
    Again own(std::move(behind), counted, WITH_TLS);
    Again other(start_server(), counted, WITH_TLS);
    Runs runs(counted);
    for (Again *each : {&own, &other})
        put(*each->server, noise(W, H, 1), 0, 0); /* which shows the same */
    const uint64_t first = runs.run(own, true);
    SECTION("with another certificate")
    {
        CHECK(runs.run(other, true) > first * 3 / 4);
        CHECK(runs.run_by_digests(other) < first / 2); /* now it is this one's */
        CHECK(runs.run(own, true) > first * 3 / 4);
    }
    SECTION("without a certificate, and nothing is kept of it")
    {
        const std::string file = runs.pictures().at(0), kept = read_file(file);
        CHECK(runs.run(own, false) > first * 3 / 4);
        CHECK(read_file(file) == kept);
        CHECK(runs.run_by_digests(own) < first / 2);
    }
}

TEST_CASE("keep picture: a server that is forgotten in the start window loses it", "[push]")
{
    auto behind = start_server();
    if (!behind)
        return;
    Counted counted;
    Again a(std::move(behind), counted, WITH_TLS);
    Runs runs(counted);
    put(*a.server, noise(W, H, 1), 0, 0);
    runs.run(a, true);
    REQUIRE(runs.pictures().size() == 1);
    InWindow start(runs.desk, "", {}, runs.home.path());
    auto forgotten = [&] { /* once the page is there */
                           runs.desk.tap(XK_Down);
                           runs.desk.tap(XK_Delete);
                           return runs.pictures().empty();
    };
    CHECK(wait_until(PATIENCE, forgotten, milliseconds(200)));
    start.close();
}
