/* Another program from which a person drags something onto a window (XDND, version 5). */
#pragma once

#include <string>

#include "tests/e2e/desk.hpp"

namespace e2e
{

/* Drops the data, which are of this type ("text/uri-list", "text/plain"). True once the window has
 * taken them. */
bool drop_on(Desk &desk, Desk::Window target, const std::string &type, const std::string &data);

} // namespace e2e
