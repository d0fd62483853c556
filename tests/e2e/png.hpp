/* Writes a picture as PNG (for programs that read nothing simpler). */
#pragma once

#include <string>

#include "image.hpp"

namespace e2e
{
bool write_png(const std::string &path, const Image &image);
}
