/* A message of the extended clipboard behind its head, as fuzzer input. The first byte says whether
 * it is the message itself, or ('z') its flags and a text that is packed here, so that the fuzzer
 * gets behind zlib's checks.
 *
 * Link with libFuzzer (clang -fsanitize=fuzzer), or with replay.cpp. */
#include <zlib.h>

#include <cstdlib>
#include <vector>

#include "input.hpp"
#include "must.hpp"
#include "rfb/proto/extensions/extended_clipboard.h"
#include "rfb/texts/utf8.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace
{

void read_one(const std::vector<uint8_t> &body)
{
    extended_clipboard m{};
    reason why{};

    if (!extended_clipboard_read(body.data(), body.size(), &m, &why)) {
        must(why.text[0] && is_sanitised(why.text), "there is a reason to refuse");
        return;
    }
    must(!m.provided || m.action == EXTENDED_PROVIDE, "only what is provided is a text");
    must(m.too_long == 0 || (!m.provided && m.too_long > EXTENDED_TEXT_MAX), "long is long");
    if (m.provided) {
        must(strlen(m.provided) <= EXTENDED_TEXT_MAX, "a text is short");
        must(utf8_valid(m.provided) && !strchr(m.provided, '\r'), "a text is well-formed");
        size_t length;
        uint8_t *again = extended_clipboard_provide(m.provided, &length);
        must(again && length > EXTENDED_MESSAGE, "and can be sent");
        free(again);
    }
    free(m.provided);
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 5)
        return 0;
    std::vector<uint8_t> body(data + 1, data + size);
    if (data[0] == 'z') {
        uLongf packed = compressBound(static_cast<uLong>(size - 5));
        body.resize(4 + packed);
        must(compress2(body.data() + 4, &packed, data + 5, static_cast<uLong>(size - 5), 1) == Z_OK,
             "it is packed");
        body.resize(4 + packed);
    }
    body.shrink_to_fit();
    read_one(body);
    return 0;
}
