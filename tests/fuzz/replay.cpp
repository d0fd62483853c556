/* Runs the fuzz target without a fuzzer: every file, then as many mutations of them as asked for.
 *
 *   PROGRAM [--mutations N] [--seed N] FILE|FOLDER...
 *
 * The seed is printed first; the input being run is kept in ./PROGRAM-crash until it is survived.
 */
#include <errno.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void run(const std::string &bytes)
{
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
}

static void run_kept(const std::string &bytes, const std::string &kept)
{
    {
        std::ofstream f(kept, std::ios::binary);
        f << bytes;
    }
    run(bytes);
}

/* A few bytes changed, a piece cut out, repeated or taken from another input. */
static std::string mutate(std::string s, const std::string &other, std::mt19937 &random)
{
    auto below = [&](size_t n) { return n ? static_cast<size_t>(random()) % n : 0; };
    for (size_t n = 1 + below(4); n; n--) {
        size_t at = below(s.size() + 1), length = below(std::min<size_t>(s.size() - at, 32) + 1);
        switch (below(6)) {
        case 0:
        case 1:
        case 2:
            if (at < s.size())
                s[at] = static_cast<char>(random());
            break;
        case 3:
            s.erase(at, length);
            break;
        case 4:
            s.insert(at, s.substr(at, length));
            break;
        default:
            s.insert(below(2) ? at : s.size(), other);
        }
    }
    return s.substr(0, 20000);
}

static bool read_file(const std::filesystem::path &file, std::vector<std::string> &corpus)
{
    std::ifstream f(file, std::ios::binary);
    std::ostringstream bytes;
    bytes << f.rdbuf();
    corpus.push_back(bytes.str());
    return bool(f);
}

/* A file, or all files of a folder, in the order of their names. */
static bool read_inputs(const char *path, std::vector<std::string> &corpus)
{
    if (!std::filesystem::is_directory(path))
        return read_file(path, corpus);
    std::set<std::filesystem::path> files;
    for (const auto &entry : std::filesystem::directory_iterator(path))
        files.insert(entry.path());
    return std::all_of(files.begin(), files.end(),
                       [&](const auto &file) { return read_file(file, corpus); });
}

int main(int argc, char **argv)
{
    std::vector<std::string> corpus;
    const char *program = program_invocation_short_name;
    std::string kept = std::string(program) + "-crash";
    long mutations = 0;
    unsigned seed = std::random_device{}();
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--mutations") == 0 && i + 1 < argc) {
            mutations = strtol(argv[++i], nullptr, 10);
        } else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc) {
            seed = static_cast<unsigned>(strtoul(argv[++i], nullptr, 10));
        } else if (!read_inputs(argv[i], corpus)) {
            fprintf(stderr, "cannot read %s\n", argv[i]);
            return 1;
        }
    }
    if (corpus.empty()) {
        fprintf(stderr, "usage: %s [--mutations N] [--seed N] FILE|FOLDER...\n", program);
        return 1;
    }
    fprintf(stderr, "seed %u\n", seed);
    for (const auto &bytes : corpus)
        run(bytes);
    std::mt19937 random(seed);
    for (long i = 0; i < mutations; i++)
        run_kept(mutate(corpus[random() % corpus.size()], corpus[random() % corpus.size()], random),
                 kept);
    unlink(kept.c_str());
    fprintf(stderr, "%zu files and %ld mutations survived\n", corpus.size(), mutations);
}
