/* The command line as fuzzer input: a word each line, up to an empty line. What follows is the
 * content of a file, which the words may name: FILE.vnc and FILE.tigervnc become connection files,
 * and --profile p is a profile.
 *
 * Link with libFuzzer (clang -fsanitize=fuzzer), or with replay.cpp. */
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "input.hpp"
#include "must.hpp"
#include "rfb/net/route.h"
#include "tests/temp_dir.hpp"
#include "viewer/options/options.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace
{

/* A home that holds one file, under the three names that the words can name. */
struct Home {
    TempDir folder;
    int file;

    Home()
    {
        std::string profile = folder.write("vnchl/p.conf", "");
        must(link(profile.c_str(), folder.file("f.vnc").c_str()) == 0 &&
                 link(profile.c_str(), folder.file("f.tigervnc").c_str()) == 0,
             "one file has three names");
        file = open(profile.c_str(), O_WRONLY | O_CLOEXEC);
        setenv("HOME", folder.path().c_str(), 1);
        setenv("XDG_CONFIG_HOME", folder.path().c_str(), 1);
        unsetenv("VNC_VIA_CMD");
        must(freopen("/dev/null", "w", stdout), "--help may be said to nobody");
    }
    void fill(const uint8_t *data, size_t size) const
    {
        must(ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == static_cast<ssize_t>(size),
             "the file is written");
    }
};

std::vector<std::string> words_of(const uint8_t *data, size_t size, const std::string &folder)
{
    std::vector<std::string> words = {"vnchl"};
    std::string word;

    for (size_t i = 0; i <= size; i++) {
        if (i < size && data[i] != '\n' && data[i] != '\0') {
            word += static_cast<char>(data[i]);
            continue;
        }
        if (word.compare(0, 5, "FILE.") == 0)
            word = folder + "/f" + word.substr(4);
        if (!word.empty())
            words.push_back(word);
        word.clear();
    }
    return words;
}

void check(const options &o)
{
    reason why{};

    must(o.encodings.list.count > 0 && o.encodings.list.count <= ENCODINGS_MAX,
         "there is an encoding");
    must(o.encodings.quality >= LEVEL_AUTO && o.encodings.quality <= 9 &&
             o.encodings.compress >= LEVEL_AUTO && o.encodings.compress <= 9,
         "levels have bounds");
    must(o.window_bytes >= 0 && o.duration_s >= 0 && o.warm_up_s >= 0 && o.connect_timeout_s > 0,
         "nothing is below nothing");
    must(!prp_is_fixed(o.policy) || o.fixed_prp > 0, "a fixed period is one");
    must(o.thesis == (o.policy == PRP_THESIS), "the thesis has a fixed period");
    must(o.start || route_check(&o.route, &o.address, &why), "there is a way to a server");
    must(o.desktop_width >= 0 && o.desktop_width <= 65535 && o.desktop_height >= 0 &&
             o.desktop_height <= 65535,
         "a screen has bounds");
    must(is_sanitised(o.notice.text), "a notice can be shown");
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const Home home;
    size_t file_at = second_part(data, size);
    std::vector<std::string> words = words_of(data, file_at, home.folder.path());
    std::vector<char *> argv;
    options o{};
    reason why{};

    for (auto &word : words)
        argv.push_back(&word[0]);
    argv.push_back(nullptr);
    home.fill(data + file_at, size - file_at);
    int argc = static_cast<int>(words.size());
    switch (options_parse(&o, argc, argv.data(), &why)) {
    case OPTIONS_BAD:
        must(why.text[0], "there is a reason to refuse");
        break;
    case OPTIONS_RUN: {
        check(o);
        options chosen{};
        options_choice choice{"host:1", nullptr, true, false, true, false, nullptr};
        if (options_choose(&chosen, &o, argc, argv.data(), &choice, &why))
            must(chosen.view_only, "what is chosen counts");
        options_deinit(&chosen);
        break;
    }
    case OPTIONS_DONE:
        break;
    }
    must(is_sanitised(why.text), "a reason can be shown");
    options_alert(argc, argv.data());
    options_deinit(&o);
    return 0;
}
