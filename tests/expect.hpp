/* What a test expects where Catch2's assertions must not be used: in another thread than the test's
 * own. Catch2 takes them from one thread only. */
#pragma once

#include <stdexcept>

/* Thrown where something is not as expected. In another thread it ends the program, and its text is
 * shown. */
struct Unexpected : std::logic_error {
    using std::logic_error::logic_error;
};

#define EXPECT_TEXT(line) #line
#define EXPECT_LINE(line) EXPECT_TEXT(line)
#define EXPECT(...)                                                                                \
    do {                                                                                           \
        if (!(__VA_ARGS__))                                                                        \
            throw Unexpected(__FILE__ ":" EXPECT_LINE(__LINE__) ": not so: " #__VA_ARGS__);        \
    } while (0)
