/* The picture that is kept of a server (viewer/servers/picture_file.h), in a folder of the test's
 * own. */
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "tests/seed.hpp"
#include "tests/temp_dir.hpp"
#include "tests/unit/shown_picture.hpp"
#include "viewer/servers/picture_file.h"

using blocks_test::Picture;
using blocks_test::Random;
using blocks_test::Shown;

namespace
{

const struct route STRAIGHT = {};

struct address server(const std::string &host, uint16_t port = 5901)
{
    struct address a = {};
    strcpy(a.host, host.c_str());
    a.port = port;
    return a;
}

struct session_stats pushed_by(const Picture &p, bool certificate)
{
    struct session_stats s = {};
    s.memory.security = SECURITY_VENCRYPT;
    s.memory.subtype = certificate ? VENCRYPT_X509_NONE : VENCRYPT_TLS_NONE;
    s.width = p.w;
    s.height = p.h;
    s.fingerprinted = certificate;
    for (unsigned i = 0; certificate && i < FINGERPRINT_BYTES; i++)
        s.sha256[i] = uint8_t(i * 7);
    return s;
}

struct Home : TempDir {
    Home()
    {
        setenv("XDG_STATE_HOME", file("state").c_str(), 1);
    }
    ~Home()
    {
        unsetenv("XDG_STATE_HOME");
    }
    std::string folder() const
    {
        return path() + "/state/vnchl";
    }
    std::vector<std::string> files() const
    {
        std::vector<std::string> all;
        DIR *d = opendir(folder().c_str());
        while (const dirent *entry = d ? readdir(d) : nullptr)
            if (entry->d_name[0] != '.')
                all.push_back(folder() + "/" + entry->d_name);
        if (d)
            closedir(d);
        return all;
    }
    std::string only() const
    {
        REQUIRE(files().size() == 1);
        return files()[0];
    }
};

bool save(const struct address &a, const Picture &p, bool certificate = true)
{
    const struct session_stats s = pushed_by(p, certificate);
    struct reason why;
    return picture_file_save(&a, &STRAIGHT, &s, Shown(p).reader, &why);
}

struct Loaded {
    picture_file k = {};
    explicit Loaded(const struct address &a)
    {
        picture_file_load(&a, &STRAIGHT, &k);
    }
    ~Loaded()
    {
        picture_file_deinit(&k);
    }
    bool is(const Picture &p)
    {
        framebuffer_view view;
        if (!k.picture || !framebuffer_lock(k.picture, &view, false))
            return false;
        Picture seen(view.width, view.height);
        std::copy_n(view.pixels, seen.pixels.size(), seen.pixels.begin());
        framebuffer_unlock(k.picture);
        return seen == p;
    }
    bool there() const
    {
        return k.picture;
    }
};

std::string unpacked(const std::string &file)
{
    std::string all(1 << 20, '\0');
    gzFile gz = gzopen(file.c_str(), "rb");
    all.resize(size_t(gzread(gz, &all[0], unsigned(all.size()))));
    gzclose(gz);
    return all;
}

void pack(const std::string &file, const std::string &bytes)
{
    gzFile gz = gzopen(file.c_str(), "wb");
    gzwrite(gz, bytes.data(), unsigned(bytes.size()));
    gzclose(gz);
}

std::string read(const std::string &file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write(const std::string &file, const std::string &bytes)
{
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

} // namespace

TEST_CASE("kept picture: it is there again as it was, for the user's eyes only")
{
    Home home;
    Random random(any_seed());
    const Picture p = blocks_test::mixed(301, 203, random), next = blocks_test::noise(7, 5, random);
    CHECK_FALSE(Loaded(server("a")).there());
    for (bool certificate : {true, false}) {
        REQUIRE(save(server("a"), p, certificate));
        Loaded one(server("a"));
        CHECK(one.is(p));
        CHECK((one.k.was.width == 301 && one.k.was.height == 203));
        CHECK((one.k.was.pushed && one.k.was.accelerated));
        CHECK(one.k.was.memory.security == SECURITY_VENCRYPT);
        CHECK(one.k.was.memory.subtype == (certificate ? VENCRYPT_X509_NONE : VENCRYPT_TLS_NONE));
        CHECK(one.k.was.fingerprinted == certificate);
        CHECK(one.k.was.sha256[31] == (certificate ? 31 * 7 : 0));
    }
    struct stat status = {};
    REQUIRE(stat(home.only().c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0600);
    REQUIRE(stat(home.folder().c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0700);
    REQUIRE(save(server("a"), next));
    CHECK(Loaded(server("a")).is(next));
    CHECK(home.files().size() == 1);
}

TEST_CASE("kept picture: each server has its own, by name, port and way, and it is forgotten alone")
{
    Home home;
    const Picture one(20, 10, 1), two(20, 10, 2), three(20, 10, 3);
    struct route via = {};
    strcpy(via.gateway.host, "gate.example");
    REQUIRE(save(server("a"), one));
    REQUIRE(save(server("a", 5902), two));
    REQUIRE(save(server("b"), three));
    CHECK(Loaded(server("a")).is(one));
    CHECK(Loaded(server("a", 5902)).is(two));
    CHECK(Loaded(server("b")).is(three));
    picture_file k;
    const struct address a = server("a");
    picture_file_load(&a, &via, &k);
    CHECK_FALSE(k.picture);
    picture_file_forget(&a, &via);
    picture_file_forget(&a, &STRAIGHT);
    picture_file_forget(&a, &STRAIGHT);
    CHECK_FALSE(Loaded(server("a")).there());
    CHECK(Loaded(server("a", 5902)).is(two));
    CHECK(home.files().size() == 2);
}

TEST_CASE("kept picture: what is damaged, or of another server, is not there")
{
    Home home;
    Random random(any_seed());
    const Picture p = blocks_test::mixed(60, 40, random);
    const struct address a = server("a");
    REQUIRE(save(a, p));
    const std::string file = home.only(), good = read(file), text = unpacked(file);
    for (size_t size = 0; size < good.size(); size++) {
        write(file, good.substr(0, size));
        if (Loaded(a).there())
            FAIL("cut off behind " << size);
    }
    for (int i = 0; i < 300; i++) { // some bytes of gzip's own head mean nothing
        std::string bad = good;
        bad[10 + random() % (bad.size() - 10)] ^= char(1 << random() % 8);
        write(file, bad);
        Loaded one(a);
        CHECK((!one.there() || one.is(p))); // a few bits mean nothing
    }
    const size_t head = text.find('\n', text.find('\n', text.find('\n') + 1) + 1) + 1;
    const std::string pixels = text.substr(head), numbers = "5901 19 260 60 40 ", none = "-\n";
    const std::string begin = "vnchl picture 1\na\n";
    REQUIRE(pixels.size() == 60 * 40 * 3);
    pack(file, begin + numbers + none + pixels);
    CHECK(Loaded(a).is(p));
    const std::vector<std::string> all_bad = {
        "",
        "\n\n\n",
        "vnchl picture 2\na\n" + numbers + none + pixels,
        "vnchl picture 1\nb\n" + numbers + none + pixels,
        "vnchl picture 1\n" + std::string(5000, 'a') + "\n" + numbers + none + pixels,
        begin + "5902 19 260 60 40 " + none + pixels,
        begin + "5901 19 260 0 40 " + none + pixels,
        begin + "5901 19 260 60 -40 " + none + pixels,
        begin + "5901 19 260 8193 40 " + none + std::string(8193 * 40 * 3, 'x'),
        begin + "5901 19 260 60 40\n" + pixels,
        begin + numbers + "AB:12\n" + pixels,
        begin + numbers + std::string(5000, 'A') + "\n" + pixels,
        begin + numbers + none + pixels.substr(1),
        begin + numbers + none + pixels + "x"};
    for (const std::string &bad : all_bad) {
        INFO(bad.substr(0, 60));
        pack(file, bad);
        CHECK_FALSE(Loaded(a).there());
    }
    write(file, begin + numbers + none + pixels); // it is no gzip
    CHECK_FALSE(Loaded(a).there());
    unlink(file.c_str());
    REQUIRE(mkfifo(file.c_str(), 0600) == 0); // it is not waited for
    CHECK_FALSE(Loaded(a).there());
    CHECK(save(a, p));
    CHECK(Loaded(a).is(p));
}

TEST_CASE("kept picture: there are not too many, and one that weighs too much is not kept")
{
    Home home;
    for (int i = 0; i < PICTURE_FILES_MOST + 3; i++) {
        REQUIRE(save(server("host" + std::to_string(i)), Picture(4, 4, uint32_t(i))));
        struct timespec times[2] = {{i, 0}, {i, 0}}; // so that their order is certain
        for (const std::string &file : home.files()) {
            struct stat status = {};
            if (stat(file.c_str(), &status) == 0 && status.st_mtim.tv_sec > 1000)
                utimensat(AT_FDCWD, file.c_str(), times, 0);
        }
    }
    CHECK(home.files().size() == PICTURE_FILES_MOST);
    CHECK_FALSE(Loaded(server("host2")).there());
    CHECK(Loaded(server("host3")).is(Picture(4, 4, 3)));
    Random random(1);
    const Picture heavy = blocks_test::noise(4096, 2800, random); // 33 MiB
    CHECK_FALSE(save(server("host3"), heavy));
    CHECK(Loaded(server("host3")).is(Picture(4, 4, 3)));
    CHECK(home.files().size() == PICTURE_FILES_MOST);
}

TEST_CASE("kept picture: what cannot be written is said")
{
    setenv("XDG_STATE_HOME", "/dev/null", 1);
    const struct session_stats s = pushed_by(Picture(4, 4), true);
    const struct address a = server("a");
    struct reason why = {};
    CHECK_FALSE(picture_file_save(&a, &STRAIGHT, &s, Shown(Picture(4, 4)).reader, &why));
    CHECK(std::string(why.text).find("/dev/null") != std::string::npos);
    CHECK_FALSE(Loaded(a).there());
    unsetenv("XDG_STATE_HOME");
}
