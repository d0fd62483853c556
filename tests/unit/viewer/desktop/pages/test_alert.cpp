/* Who reads standard error (viewer/desktop/pages/alert.h). */
#include "tests/catch.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "viewer/desktop/pages/alert.h"

TEST_CASE("alert: nobody reads what desktops start")
{
    int null = open("/dev/null", O_RDWR), log = memfd_create("log", 0);
    int other_null = open("/dev/null", O_WRONLY), sockets[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
    CHECK(alert_is_unread(null, log, log));
    CHECK(alert_is_unread(null, null, other_null));
    CHECK(alert_is_unread(null, sockets[0], sockets[1])); /* the system's log takes both apart */
    for (int fd : {null, log, other_null, sockets[0], sockets[1]})
        close(fd);
}

TEST_CASE("alert: somebody reads a terminal, a pipe, a file for errors")
{
    int null = open("/dev/null", O_RDWR), log = memfd_create("log", 0);
    int errors = memfd_create("errors", 0), pipes[2];
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    REQUIRE(pipe(pipes) == 0);
    REQUIRE(terminal >= 0);
    CHECK_FALSE(alert_is_unread(null, log, errors));
    CHECK_FALSE(alert_is_unread(null, null, log));
    CHECK_FALSE(alert_is_unread(null, pipes[1], pipes[1]));
    CHECK_FALSE(alert_is_unread(null, pipes[1], log));
    CHECK_FALSE(alert_is_unread(terminal, log, log));
    CHECK_FALSE(alert_is_unread(null, terminal, terminal));
    CHECK_FALSE(alert_is_unread(null, -1, -1));
    for (int fd : {null, log, errors, pipes[0], pipes[1], terminal})
        close(fd);
}
