/* The servers that were shown last (viewer/servers/recent.h), in a folder of the test's own. */
#include <sys/stat.h>
#include <unistd.h>

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "rfb/net/address/address.h"
#include "tests/catch.hpp"
#include "tests/temp_dir.hpp"
#include "viewer/servers/recent.h"
#include "viewer/state_file.h"

namespace
{

struct Home : TempDir {
    Home()
    {
        setenv("XDG_STATE_HOME", file("state").c_str(), 1);
    }
    ~Home()
    {
        unsetenv("XDG_STATE_HOME");
    }
    std::string list() const
    {
        return path() + "/state/vnchl/recent";
    }
    int files() const
    {
        int count = 0;
        FILE *f = popen(("ls '" + path() + "/state/vnchl' | wc -l").c_str(), "r");
        if (!f || fscanf(f, "%d", &count) != 1)
            count = -1;
        if (f)
            pclose(f);
        return count;
    }
};

const std::vector<uint32_t> picture(8 * 4, 0x123456);

bool remember(const std::string &address, const std::string &name = "desk",
              const std::string &way = "")
{
    struct reason why;
    return recent_remember(address.c_str(), way.c_str(), name.c_str(), picture.data(), 8, 4, &why);
}

struct Loaded {
    struct recent r;
    explicit Loaded(bool pictures = true)
    {
        recent_load(&r, pictures);
    }
    ~Loaded()
    {
        recent_deinit(&r);
    }
};

} // namespace

TEST_CASE("recent: nothing yet")
{
    Home home;
    CHECK(Loaded().r.count == 0);
}

TEST_CASE("recent: the last one is first, each is there once, with its picture")
{
    Home home;
    REQUIRE(remember("a:1"));
    REQUIRE(remember("b"));
    REQUIRE(remember("a:1", "another name"));
    Loaded l;
    REQUIRE(l.r.count == 2);
    CHECK(std::string(l.r.servers[0].address) == "a:1");
    CHECK(std::string(l.r.servers[0].name) == "another name");
    CHECK(std::string(l.r.servers[1].address) == "b");
    REQUIRE(l.r.servers[0].pixels);
    CHECK(l.r.servers[0].width == 8);
    CHECK(l.r.servers[0].height == 4);
    CHECK(std::vector<uint32_t>(l.r.servers[0].pixels, l.r.servers[0].pixels + 32) == picture);
    CHECK_FALSE(Loaded(false).r.servers[0].pixels);

    struct stat st = {};
    REQUIRE(stat(home.list().c_str(), &st) == 0);
    CHECK((st.st_mode & 0777) == 0600);
    REQUIRE(stat((home.path() + "/state/vnchl").c_str(), &st) == 0);
    CHECK((st.st_mode & 0777) == 0700);
}

TEST_CASE("recent: a full list loses the oldest, and its picture")
{
    Home home;
    for (int i = 0; i < RECENT_MAX + 3; i++)
        REQUIRE(remember("host" + std::to_string(i)));
    Loaded l;
    REQUIRE(l.r.count == RECENT_MAX);
    CHECK(std::string(l.r.servers[0].address) == "host14");
    CHECK(std::string(l.r.servers[RECENT_MAX - 1].address) == "host3");
    CHECK(home.files() == 1 + RECENT_MAX);
}

TEST_CASE("recent: damaged lines and pictures are not there")
{
    Home home;
    REQUIRE(remember("good"));
    {
        std::ofstream f(home.list());
        f << "no tab\n"
          << "\tno address\n"
          << std::string(RECENT_ADDRESS_MAX, 'x') << "\tname\n"
          << "control\x1b\tname\n"
          << "\xff\tname\n"
          << "way\tname\t" << std::string(RECENT_WAY_MAX, 'x') << "\n"
          << "way\tname\tvia=\x1b\n"
          << "way\tname\tvia=gate\tmore\n"
          << "good\tname\n"
          << "cut\tna";
    }
    for (const char *head :
         {"P6\n9999 1\n255\n", "P6\n0 4\n255\n", "P6\n8 4\n255\nshort", "P5\n8 4\n255\n", ""}) {
        INFO("'" << head << "'");
        if (system(("rm -f '" + home.path() + "'/state/vnchl/*.ppm").c_str()) != 0)
            FAIL();
        REQUIRE(remember("good"));
        FILE *ls = popen(("ls '" + home.path() + "'/state/vnchl/*.ppm").c_str(), "r");
        char name[256] = "";
        REQUIRE(fscanf(ls, "%255s", name) == 1);
        pclose(ls);
        std::ofstream(name) << head;
        Loaded l;
        REQUIRE(l.r.count == 1);
        CHECK(std::string(l.r.servers[0].address) == "good");
        CHECK_FALSE(l.r.servers[0].pixels);
    }
}

TEST_CASE("recent: what cannot be written is said")
{
    Home home;
    struct reason why = {};
    std::ofstream(home.path() + "/state") << "a file";
    CHECK_FALSE(recent_remember("a", "", "b", picture.data(), 8, 4, &why));
    CHECK(std::string(why.text).find(home.path()) != std::string::npos);
    CHECK_FALSE(remember(std::string(RECENT_ADDRESS_MAX, 'x')));
}

TEST_CASE("thumbnail: fits, and keeps its shape")
{
    int w, h;
    thumbnail_size(1920, 1080, &w, &h);
    CHECK((w == 320 && h == 180));
    thumbnail_size(1000, 2000, &w, &h);
    CHECK((w == 100 && h == 200));
    thumbnail_size(8, 4, &w, &h);
    CHECK((w == 8 && h == 4));
    thumbnail_size(8192, 1, &w, &h);
    CHECK((w == 320 && h == 1));
}

TEST_CASE("thumbnail: a pixel is the mean of what it covers")
{
    const std::vector<uint32_t> in = {0x000000, 0x020406, 0xff0000, 0xff0000,
                                      0x040608, 0x060a0e, 0xff0000, 0xff0000};
    uint32_t out[2] = {};
    thumbnail_make(in.data(), 4, 2, out, 2, 1);
    CHECK(out[0] == 0x030507);
    CHECK(out[1] == 0xff0000);
}

TEST_CASE("addresses are written as they are read")
{
    struct address a;
    struct reason why;
    char text[300];
    for (const char *same : {"host", "host:1", "host:99", "host::80", "host::6000", "[fe80::1]",
                             "[fe80::1]:2", "[::1]::80", "/tmp/socket"}) {
        INFO(same);
        REQUIRE(address_parse(&a, same, &why));
        address_format(&a, text, sizeof text);
        CHECK(std::string(text) == same);
    }
    REQUIRE(address_parse(&a, "host:5901", &why));
    address_format(&a, text, sizeof text);
    CHECK(std::string(text) == "host::5901");
}

TEST_CASE("recent: a server is forgotten, with its picture")
{
    Home home;
    struct reason why;

    CHECK(recent_forget("none", "", &why)); /* there is no list yet */
    REQUIRE((remember("a") && remember("b") && remember("c")));
    CHECK(recent_forget("b", "", &why));
    CHECK(recent_forget("b", "", &why));
    Loaded l;
    REQUIRE(l.r.count == 2);
    CHECK(std::string(l.r.servers[0].address) == "c");
    CHECK(std::string(l.r.servers[1].address) == "a");
    CHECK(home.files() == 3); /* the list and two pictures */
}

TEST_CASE("recent: the same address by another way is another server")
{
    Home home;
    struct reason why;

    REQUIRE(remember("desk:1"));
    REQUIRE(remember("desk:1", "far", "via=me@gate:2222"));
    REQUIRE(remember("", "own", "ssh=desk"));
    CHECK(home.files() == 4); /* the list and three pictures */
    {
        Loaded l;
        REQUIRE(l.r.count == 3);
        CHECK(std::string(l.r.servers[0].address).empty());
        CHECK(std::string(l.r.servers[0].way) == "ssh=desk");
        CHECK(std::string(l.r.servers[1].way) == "via=me@gate:2222");
        CHECK(std::string(l.r.servers[1].name) == "far");
        CHECK(std::string(l.r.servers[2].way).empty());
        CHECK(l.r.servers[1].pixels);
    }
    CHECK(recent_forget("desk:1", "via=me@gate:2222", &why));
    Loaded l;
    REQUIRE(l.r.count == 2);
    CHECK(std::string(l.r.servers[1].address) == "desk:1");
    CHECK(l.r.servers[1].pixels);
    CHECK(home.files() == 3);
}

TEST_CASE("recent: a list of an older version is read")
{
    Home home;
    REQUIRE(remember("a"));
    std::ofstream(home.list()) << "a\tname\nb:1\t\n";
    Loaded l;
    REQUIRE(l.r.count == 2);
    CHECK(std::string(l.r.servers[0].name) == "name");
    CHECK(std::string(l.r.servers[1].address) == "b:1");
    CHECK(std::string(l.r.servers[1].way).empty());
}

TEST_CASE("recent: a pipe in the list's place is not waited for")
{
    Home home;

    REQUIRE(remember("a"));
    char path[PATH_MAX];
    REQUIRE(state_file_path("recent", path));
    REQUIRE(unlink(path) == 0);
    REQUIRE(mkfifo(path, 0600) == 0);
    CHECK(Loaded().r.count == 0);
}
