// Bytes for the tests of rfb/framing, and pieces to give them in.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "tests/seed.hpp"

namespace framed
{

using Bytes = std::vector<uint8_t>;

inline Bytes u8(unsigned v)
{
    return {uint8_t(v)};
}

inline Bytes u16(unsigned v)
{
    return {uint8_t(v >> 8), uint8_t(v)};
}

inline Bytes u32(uint32_t v)
{
    return {uint8_t(v >> 24), uint8_t(v >> 16), uint8_t(v >> 8), uint8_t(v)};
}

// So many bytes whose values mean nothing; each could begin a message.
inline Bytes any(size_t size)
{
    Bytes b(size);
    for (size_t i = 0; i < size; i++)
        b[i] = uint8_t(i % 7);
    return b;
}

inline Bytes text(const std::string &s)
{
    return Bytes(s.begin(), s.end());
}

inline Bytes operator+(Bytes a, const Bytes &b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

// Gives the bytes to `read` in pieces: whole, one by one, and of random sizes. `read` takes a piece
// in memory of its own (ASan sees a look behind its end); `begin` starts anew.
inline void in_pieces(const Bytes &bytes, const std::function<void()> &begin,
                      const std::function<void(const uint8_t *, size_t)> &read,
                      const std::function<void()> &end)
{
    static std::mt19937 random(any_seed());

    for (size_t most : {bytes.size(), size_t(1), size_t(7), size_t(40)}) {
        begin();
        for (size_t at = 0, part; at < bytes.size(); at += part) {
            part = most == bytes.size() ? most : 1 + random() % most;
            part = std::min(part, bytes.size() - at);
            Bytes piece(bytes.begin() + long(at), bytes.begin() + long(at + part));
            piece.shrink_to_fit();
            read(piece.data(), piece.size());
        }
        end();
    }
}

} // namespace framed
