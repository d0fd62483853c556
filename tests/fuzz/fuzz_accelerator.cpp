/* A configuration file of the accelerator as fuzzer input. No name is looked up: all are this
 * machine's.
 *
 * Link with libFuzzer (clang -fsanitize=fuzzer), or with replay.cpp. */
#include <netdb.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "must.hpp"
#include "tools/accelerator/service/config.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* In the place of libc's: one block, as its freeaddrinfo() frees it. */
extern "C" int getaddrinfo(const char *, const char *, const addrinfo *, addrinfo **result)
{
    struct Answer {
        addrinfo info;
        sockaddr_in address;
    };
    Answer *a = static_cast<Answer *>(calloc(1, sizeof *a));
    if (!a)
        return EAI_MEMORY;
    a->address.sin_family = AF_INET;
    a->address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    a->info.ai_family = AF_INET;
    a->info.ai_socktype = SOCK_STREAM;
    a->info.ai_addrlen = sizeof a->address;
    a->info.ai_addr = reinterpret_cast<sockaddr *>(&a->address);
    *result = &a->info;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    config *c = config_create(-1);
    reason why{};
    int fd = memfd_create("config", MFD_CLOEXEC);

    must(c && fd >= 0 && write(fd, data, size) == static_cast<ssize_t>(size), "there is a file");
    std::string path = "/proc/self/fd/" + std::to_string(fd);
    bool ok = config_read(c, path.c_str(), &why) && config_check(c, &why);
    must(ok || why.text[0], "there is a reason to refuse");
    must(is_sanitised(why.text), "a reason can be shown");
    must(c->count >= 0 && c->count <= CONFIG_PORTS_MAX, "ports are counted");
    for (int i = 0; ok && i < c->count; i++) {
        must(strnlen(c->ports[i].name, CONFIG_NAME) < CONFIG_NAME, "a port has a name");
        must(!c->ports[i].target != !c->ports[i].by_name, "a port leads somewhere");
    }
    config_free(c);
    close(fd);
    return 0;
}
