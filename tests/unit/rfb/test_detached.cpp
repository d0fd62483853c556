/* A thread that nobody waits for gets no signals (rfb/system/thread.h). */
#include <csignal>
#include <future>
#include <memory>

#include "rfb/system/thread.h"
#include "tests/catch.hpp"

namespace
{

bool blocks(int signal)
{
    sigset_t now;

    sigemptyset(&now);
    pthread_sigmask(SIG_BLOCK, nullptr, &now);
    return sigismember(&now, signal) == 1;
}

void *tell(void *user)
{
    std::unique_ptr<std::promise<bool>> told(static_cast<std::promise<bool> *>(user));

    told->set_value(blocks(SIGINT) && blocks(SIGTERM) && blocks(SIGHUP));
    return nullptr;
}

} // namespace

TEST_CASE("detached: signals stay with the other threads")
{
    const bool before = blocks(SIGTERM);
    auto told = std::make_unique<std::promise<bool>>();
    std::future<bool> answer = told->get_future();

    REQUIRE(detached_start(tell, told.get()));
    told.release(); /* the thread's */
    CHECK(answer.get());
    CHECK(blocks(SIGTERM) == before);
}
