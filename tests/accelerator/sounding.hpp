/* A server with sound, and a viewer that wants it until it does not. */
#pragma once

#include <string>

#include "rfb/proto/encodings/encodings.h"
#include "tests/e2e/check.hpp"
#include "tests/e2e/fake_server.hpp"

namespace accelerator
{

const size_t SOUNDING_BYTES = 2 * 10000;

/* It sends its first picture, and with the second all of its sound. The third says that the sound
 * is no more wanted. */
inline e2e::Script sounding()
{
    using namespace e2e;
    const std::string samples(SOUNDING_BYTES / 2, 'a'), data("\xff\1\0\2\0\0\x27\x10", 8);
    const std::string on("\xff\1\0\2\3\2\0\0\xac\x44\xff\1\0\0", 14), off("\xff\1\0\1", 4);
    const std::string begins = off, ends("\xff\1\0\0", 4);

    return e2e::handshake(64, 48) +
           Script{
               await_request(),
               send_step(update(1) + rectangle(0, 0, 64, 48, PSEUDO_QEMU_AUDIO)),
               send_step(raw_screen(64, 48, 1)),
               await_input(on),
               send_step(begins + data + samples + raw_screen(64, 48, 2) + data + samples + ends),
               await_input(off),
               send_step(raw_screen(64, 48, 3)),
               stall()};
}

inline void check_heard(e2e::Viewer &viewer)
{
    CHECK(viewer.wait_picture(e2e::Image(64, 48, 2)));
    CHECK(viewer.wait_event(SESSION_SOUND));
    CHECK(e2e::wait_until(e2e::PATIENCE,
                          [&] { return viewer.stats().sound_bytes == SOUNDING_BYTES; }));
}

inline void check_unwanted(e2e::Viewer &viewer)
{
    session_want_sound(viewer.raw(), false);
    CHECK(viewer.wait_picture(e2e::Image(64, 48, 3)));
}

} // namespace accelerator
