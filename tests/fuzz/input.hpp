/* A fuzzer's input as what parsers take. The memory ends where the text ends, so that ASan sees a
 * look behind it. */
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

/* A text that ends with a NUL: the input up to its first one. */
inline std::vector<char> text_of(const uint8_t *data, size_t size)
{
    const char *begin = reinterpret_cast<const char *>(data);
    std::vector<char> text;
    size_t length = strnlen(begin, size);

    text.reserve(length + 1);
    text.assign(begin, begin + length);
    text.push_back('\0');
    return text;
}

/* Where the first empty line ends; `size` where there is none. What is before it and behind it are
 * two parts of the input. */
inline size_t second_part(const uint8_t *data, size_t size)
{
    for (size_t i = 1; i < size; i++)
        if (data[i - 1] == '\n' && data[i] == '\n')
            return i + 1;
    return size;
}
