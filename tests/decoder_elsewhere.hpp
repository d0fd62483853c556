// The process in which a session's films are decoded, for a test.
#pragma once

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rfb/worker/confined/decoder_caller.h"
#include "rfb/worker/confined/decoder_messages.h"
#include "rfb/worker/confined/decoder_process.h"
#include "tests/catch.hpp"

// Films are decoded by such a process while it is there. Before the test has threads.
struct DecoderElsewhere {
    int fd = -1;
    uint8_t *memory = nullptr;
    pid_t pid;

    // Confined as a session with these layers would want it.
    explicit DecoderElsewhere(const worker_layers &layers = {})
        : pid(decoder_process_start(&fd, &memory))
    {
        REQUIRE(pid > 0);
        decoder_caller_use(pid, fd, memory);
        decoder_caller_confine(&layers);
        CHECK(film_decoder_works());
    }
    ~DecoderElsewhere()
    {
        film_decoder_use(nullptr);
        close(fd); // by that it ends
        if (pid > 0)
            waitpid(pid, nullptr, 0);
        munmap(memory, DECODER_MEMORY);
    }
    DecoderElsewhere(const DecoderElsewhere &) = delete;
    DecoderElsewhere &operator=(const DecoderElsewhere &) = delete;

    void end()
    {
        REQUIRE(kill(pid, SIGKILL) == 0);
        waitpid(pid, nullptr, 0);
        pid = -1;
    }
};
