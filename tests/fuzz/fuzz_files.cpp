/* Files of options and links, as fuzzer input: the first byte says what the rest is. The memory
 * that is read ends with the input: ASan sees a look behind the end.
 *
 * Link with libFuzzer (clang -fsanitize=fuzzer), or with replay.cpp. */
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "must.hpp"
#include "viewer/options/files/connection_file.h"
#include "viewer/options/files/uri.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace
{

/* What every reader promises of a setting. */
bool take(void *user, const setting *s, reason *)
{
    size_t *count = static_cast<size_t *>(user);

    must(s->name && strlen(s->name) < SETTINGS_LINE_MAX, "a name is short");
    must(!s->value || strlen(s->value) < SETTINGS_LINE_MAX, "a value is short");
    must(s->line >= 0, "lines are counted");
    ++*count;
    return true;
}

void check(bool ok, const reason &why)
{
    must(ok || why.text[0], "there is a reason to refuse");
    must(is_sanitised(why.text), "a reason can be shown");
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char address[300];
    size_t count = 0;
    reason why{};

    if (size == 0)
        return 0;
    std::vector<char> text(data + 1, data + size);
    if (data[0] == 'c') {
        check(connection_file_parse(text.data(), text.size(), take, &count, &why), why);
    } else if (data[0] == 'p') {
        check(profile_parse(text.data(), text.size(), take, &count, &why), why);
    } else {
        const char *begin = reinterpret_cast<const char *>(data + 1);
        std::string link(begin, strnlen(begin, size - 1));
        check(vnc_uri_parse(link.c_str(), address, sizeof address, take, &count, &why), why);
    }
    return 0;
}
