#include "png.hpp"

#include <zlib.h>

#include <fstream>

namespace e2e
{

static std::string number(uint32_t n)
{
    return {static_cast<char>(n >> 24), static_cast<char>(n >> 16), static_cast<char>(n >> 8),
            static_cast<char>(n)};
}

static std::string chunk(const std::string &type, const std::string &data)
{
    std::string body = type + data;
    auto sum =
        crc32(0, reinterpret_cast<const Bytef *>(body.data()), static_cast<uInt>(body.size()));
    return number(static_cast<uint32_t>(data.size())) + body + number(static_cast<uint32_t>(sum));
}

bool write_png(const std::string &path, const Image &image)
{
    std::string rows;
    for (int y = 0; y < image.height; y++) {
        rows += '\0'; /* no filter */
        for (int x = 0; x < image.width; x++) {
            uint32_t p = image.at(x, y);
            rows += {static_cast<char>(p >> 16), static_cast<char>(p >> 8), static_cast<char>(p)};
        }
    }
    uLongf size = compressBound(rows.size());
    std::string packed(size, '\0');
    if (compress(reinterpret_cast<Bytef *>(packed.data()), &size,
                 reinterpret_cast<const Bytef *>(rows.data()), rows.size()) != Z_OK)
        return false;
    packed.resize(size);
    std::string header = number(static_cast<uint32_t>(image.width)) +
                         number(static_cast<uint32_t>(image.height)) +
                         std::string("\x08\x02\x00\x00\x00", 5);
    std::ofstream f(path, std::ios::binary);
    f << "\x89PNG\r\n\x1a\n" << chunk("IHDR", header) << chunk("IDAT", packed) << chunk("IEND", "");
    return static_cast<bool>(f);
}

} // namespace e2e
