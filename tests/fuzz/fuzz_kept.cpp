/* Files that the viewer keeps for itself, damaged: the first byte says whether the rest is the list
 * of accepted certificates ('k'), of what is known of hosts ('h'), of recent servers, with a
 * picture behind an empty line ('r'), or a password file ('w'). What is read can be used, and
 * written again.
 *
 * Link with libFuzzer (clang -fsanitize=fuzzer), or with replay.cpp. */
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "input.hpp"
#include "must.hpp"
#include "tests/temp_dir.hpp"
#include "viewer/options/way.h"
#include "viewer/servers/hosts.h"
#include "viewer/servers/recent.h"
#include "viewer/trust/credentials.h"
#include "viewer/trust/known_servers.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace
{

const char HOST[] = "host"; /* that the corpus knows */

struct Home {
    TempDir folder;

    Home()
    {
        folder.write("vnchl/hosts", "");
        setenv("HOME", folder.path().c_str(), 1);
        setenv("XDG_STATE_HOME", folder.path().c_str(), 1);
        setenv("XDG_DATA_HOME", folder.path().c_str(), 1);
    }
    std::string fill(const char *name, const uint8_t *data, size_t size) const
    {
        std::string path = folder.file(std::string("vnchl/") + name);
        int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        must(fd >= 0 && write(fd, data, size) == static_cast<ssize_t>(size), "the file is written");
        close(fd);
        return path;
    }
};

void try_known(const Home &home, const uint8_t *data, size_t size)
{
    uint8_t sha256[FINGERPRINT_BYTES] = {1};
    known_server found{};
    reason why{};

    home.fill("known_servers", data, size);
    enum known before = known_servers_check(HOST, 5901, sha256, &found, &why);
    must(before != KNOWN_FAILED || why.text[0], "there is a reason");
    must(is_sanitised(why.text), "a reason can be shown");
    bool has = false;
    must(known_servers_has(HOST, 5901, &has, &why) == (before != KNOWN_FAILED || has) &&
             (has || (before != KNOWN_SAME && before != KNOWN_CHANGED)),
         "both say the same");
    if (before == KNOWN_SAME || before == KNOWN_CHANGED)
        must(found.line > 0 && strnlen(found.date, sizeof found.date) == 10, "the line is told");
    if (!known_servers_add(HOST, 5901, sha256, 1700000000, &why))
        return;
    must(known_servers_check(HOST, 5901, sha256, &found, &why) == KNOWN_SAME, "it is remembered");
    /* a damaged line without a port may be of any server of its name, and stays */
    must(known_servers_forget(HOST, 5901, &why) &&
             (!known_servers_has(HOST, 5901, &has, &why) || !has),
         "and forgotten");
    must(known_servers_add_vouched(HOST, 5901, 1700000000, &why) ==
             (known_servers_has(HOST, 5901, &has, &why) && has),
         "that one was vouched for is remembered");
}

void try_hosts(const Home &home, const uint8_t *data, size_t size)
{
    address a{};
    route straight{};
    reason why{};

    strcpy(a.host, HOST);
    a.port = 5901;
    home.fill("hosts", data, size);
    session_memory m = hosts_recall(&a, &straight);
    must(m.minor == 0 || m.minor == 3 || m.minor == 7 || m.minor == 8, "a version that is spoken");
    must(m.minor == 0 || (m.width > 0 && m.width <= 65535 && m.height > 0 && m.height <= 65535),
         "a screen has bounds");
    session_memory other = {8, SECURITY_NONE, SECURITY_FAILED, 77, 55, false, false, 3, 100000};
    must(hosts_remember(&a, &straight, &other, &why), "it is remembered");
    m = hosts_recall(&a, &straight);
    must(m.minor == 8 && m.width == 77 && m.height == 55, "and recalled");
}

void try_recent(const Home &home, const uint8_t *data, size_t size)
{
    size_t picture = second_part(data, size);
    uint32_t pixels[4] = {1, 2, 3, 4}, sum = 0;
    recent r;
    reason why{};

    home.fill("recent", data, picture);
    must(recent_remember(HOST, "ssh=desk", "its name", pixels, 2, 2, &why), "it is remembered");
    for (const auto &entry : std::filesystem::directory_iterator(home.folder.file("vnchl")))
        if (entry.path().extension() == ".ppm")
            home.fill(entry.path().filename().c_str(), data + picture, size - picture);
    recent_load(&r, true);
    must(r.count > 0 && strcmp(r.servers[0].address, HOST) == 0 &&
             strcmp(r.servers[0].way, "ssh=desk") == 0,
         "and comes first");
    for (int i = 0; i < r.count; i++) {
        const recent_server &s = r.servers[i];
        route way{};
        must(is_sanitised(s.address) && is_sanitised(s.name) && is_sanitised(s.way),
             "a list can be shown");
        is_read(way_parse(s.way, &way));
        for (int p = 0; s.pixels && p < s.width * s.height; p++)
            sum += s.pixels[p];
    }
    is_read(sum);
    recent_deinit(&r);
    must(recent_forget(HOST, "ssh=desk", &why), "it is forgotten");
}

void try_password(const Home &home, const uint8_t *data, size_t size)
{
    struct credentials_options options = {};
    std::string path = home.fill("passwd", data, size);
    credentials c{};
    reason why{};

    options.passwd_file = path.c_str();
    if (credentials_init(&c, &options, &why))
        must(size >= VNCAUTH_PASSWORD &&
                 strnlen(c.file_password, sizeof c.file_password) <= VNCAUTH_PASSWORD,
             "a password is short");
    else
        must(why.text[0] && is_sanitised(why.text), "there is a reason to refuse");
    credentials_deinit(&c);
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const Home home;

    if (size == 0)
        return 0;
    switch (data[0]) {
    case 'k':
        try_known(home, data + 1, size - 1);
        break;
    case 'h':
        try_hosts(home, data + 1, size - 1);
        break;
    case 'r':
        try_recent(home, data + 1, size - 1);
        break;
    default:
        try_password(home, data + 1, size - 1);
    }
    return 0;
}
