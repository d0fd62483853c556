#include "rfb/system/landlock.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <linux/landlock.h>
#include <thread>

#include "tests/catch.hpp"

namespace
{

int landlock_version()
{
    return static_cast<int>(
        syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION));
}

/* Error numbers of what a thread tries under the rules; 0: it worked. */
struct Tried {
    int open, connect, bind, signal;
};

int error_of(bool worked)
{
    return worked ? 0 : errno;
}

/* Rules hold for the thread that takes them, not for the others. */
Tried try_under(int (*make_rules)())
{
    const pid_t process = fork();
    if (process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;)
            pause();
    }
    REQUIRE(process > 0);
    Tried t = {-1, -1, -1, -1};
    std::thread([&] {
        sockaddr_in a = {};
        a.sin_family = AF_INET;
        a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof a;
        auto *any = reinterpret_cast<sockaddr *>(&a);
        const int heard = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const int other = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        bool ready = bind(heard, any, size) == 0 && listen(heard, 1) == 0;

        ready = ready && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
        if (ready && landlock_enforce(make_rules())) {
            const int file = open("/dev/null", O_RDONLY | O_CLOEXEC);
            t.open = error_of(file >= 0);
            close(file);
            t.bind = error_of(bind(other, any, size) == 0);
            getsockname(heard, any, &size);
            t.connect = error_of(connect(other, any, size) == 0);
            t.signal = error_of(kill(process, 0) == 0);
        }
        close(other);
        close(heard);
    }).join();
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
    return t;
}

} // namespace

TEST_CASE("landlock: who is allowed nothing has no files, no ports and no other processes")
{
    const int version = landlock_version();
    if (version < 1) {
        WARN("this kernel has no Landlock");
        CHECK(landlock_allow_nothing() == -1);
        CHECK(landlock_allow_no_files() == -1);
        return;
    }
    Tried t = try_under(landlock_allow_nothing);
    CHECK(t.open == EACCES);
    CHECK(t.bind == (version >= 4 ? EACCES : 0));
    CHECK(t.connect == (version >= 4 ? EACCES : 0));
    CHECK(t.signal == (version >= 6 ? EPERM : 0));

    t = try_under(landlock_allow_no_files);
    CHECK(t.open == EACCES);
    CHECK(t.bind == 0);
    CHECK(t.connect == 0);
    CHECK(t.signal == 0);
}
