/* The parts of a recording's file (rfb/net/recording/fbs.h). */
#pragma once

#include <cstdint>
#include <string>

#include "rfb/net/recording/fbs.h"

namespace fbs
{

inline std::string number(uint32_t n)
{
    uint8_t out[FBS_NUMBER_BYTES];
    fbs_put_number(out, n);
    return std::string(out, out + sizeof out);
}

/* So many ms after the beginning these bytes came. */
inline std::string block(const std::string &bytes, uint32_t ms)
{
    std::string padding((4 - bytes.size() % 4) % 4, '\0');
    return number(static_cast<uint32_t>(bytes.size())) + bytes + padding + number(ms);
}

} // namespace fbs
