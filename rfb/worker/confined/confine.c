#include "rfb/worker/confined/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/capability.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>

#include "rfb/film/h264_contexts.h"
#include "rfb/system/landlock.h"

/* On s390 mmap() has its arguments in memory, where a filter cannot see them. */
#if defined(VNCHL_SECCOMP) && !defined(__s390__)
#define FILTERS_CALLS 1
#include <seccomp.h>
#endif

/* Bytes of a process's own memory. The picture, which two processes share, is not counted. */
static const rlim_t confine_memory_most[] = {
    /* a copy of the largest picture, what decoders unpack, the stacks of threads: 520 MiB */
    [CONFINED_SESSION] = (rlim_t)(256 + 200 + 64) << 20,
    /* a server's H.264, a far end's film, libavcodec with its libraries: 424 MiB */
    [CONFINED_DECODER] = (rlim_t)H264_ALL_MOST + ((rlim_t)(64 + 64) << 20),
};
/* Bytes of addresses beyond that memory: the picture, what libraries and stacks reserve. Memory
 * that was written and then made unwritable does not count for the first limit; it counts here. */
#define ADDRESSES_MORE ((rlim_t)(256 + 512) << 20)
/* The session's descriptors, with those of a connection made again. */
#define FILES_MAX 64

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
/* Their memory is far larger than the program's, and they read files about themselves. */
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

/* ---- limits ---- */

static bool confine_limit(int what, rlim_t most)
{
    const struct rlimit l = {most, most};

    return setrlimit(what, &l) == 0;
}

/* What root may do beyond other users. In a namespace of its own the process has lost it already.
 */
static bool drop_capabilities(void)
{
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};

    return syscall(SYS_capset, &head, none) == 0;
}

static bool confine_limits(enum confined who)
{
    rlim_t memory = confine_memory_most[who];
    /* what is not dumpable nobody of the same user can read or trace either */
    bool ok = prctl(PR_SET_DUMPABLE, 0) == 0 && confine_limit(RLIMIT_CORE, 0) &&
              confine_limit(RLIMIT_FSIZE, 0) && confine_limit(RLIMIT_NOFILE, FILES_MAX) &&
              drop_capabilities();

    return ok && (SANITIZED || (confine_limit(RLIMIT_DATA, memory) &&
                                confine_limit(RLIMIT_AS, memory + ADDRESSES_MORE)));
}

/* ---- calls ---- */

#ifdef FILTERS_CALLS

/* Allowed with any arguments: they work on what the process has already, or on itself. Each
 * processor has some of them. newfstatat() and statx() are left out: some C libraries use them for
 * fstat(), but they also look at files by name. */
static const char *const allowed[] = {
    "read",
    "write",
    "readv",
    "writev",
    "pread64",
    "recv",
    "recvmsg",
    "recvfrom",
    "shutdown",
    "poll",
    "ppoll",
    "ppoll_time64",
    "close",
    "futex",
    "futex_time64",
    "munmap",
    "mremap",
    "madvise",
    "brk",
    "fallocate",
    "clock_gettime",
    "clock_gettime64",
    "clock_getres",
    "clock_getres_time64",
    "clock_nanosleep",
    "clock_nanosleep_time64",
    "nanosleep",
    "gettimeofday",
    "time",
    "getrandom",
    "exit",
    "exit_group",
    "sigreturn",
    "rt_sigreturn",
    "rt_sigprocmask",
    "rt_sigaction",
    "sigaltstack",
    "set_robust_list",
    "rseq",
    "gettid",
    "getpid",
    "getppid",
    "getuid",
    "getuid32",
    "geteuid",
    "geteuid32",
    "getgid",
    "getgid32",
    "getegid",
    "getegid32",
    "sched_yield",
    "sched_getaffinity",
    "getrusage",
    "sysinfo",
    "uname",
    "eventfd2",
    "restart_syscall",
    "membarrier",
    "lseek",
    "_llseek",
    "fstat",
    "fstat64",
    "getcpu",
    "times",
};

/* What memory may be: never code. */
#define MEMORY (PROT_READ | PROT_WRITE)
/* How the session sends (rfb/net/sockets/socket.c, rfb/worker/channel.c). */
#define SENDING (MSG_DONTWAIT | MSG_NOSIGNAL | MSG_MORE)

static bool confine_allow(scmp_filter_ctx f, const char *name, unsigned count,
                          struct scmp_arg_cmp *args)
{
    int number = seccomp_syscall_resolve_name(name);

    return number == __NR_SCMP_ERROR ||
           seccomp_rule_add_array(f, SCMP_ACT_ALLOW, number, count, args) == 0;
}

/* Allowed where the argument number `i` has this value. */
static bool allow_value(scmp_filter_ctx f, const char *name, unsigned i, uint64_t value)
{
    return confine_allow(f, name, 1, (struct scmp_arg_cmp[]){{i, SCMP_CMP_EQ, value, 0}});
}

/* Where argument number `i` has no other bits than these. */
static struct scmp_arg_cmp confine_only(unsigned i, uint64_t bits)
{
    return (struct scmp_arg_cmp){i, SCMP_CMP_MASKED_EQ, ~bits, 0};
}

/* Allowed where the argument number `i` has no other bits than these. */
static bool allow_only(scmp_filter_ctx f, const char *name, unsigned i, uint64_t bits)
{
    return confine_allow(f, name, 1, (struct scmp_arg_cmp[]){confine_only(i, bits)});
}

/* Only to where the socket leads already: not with MSG_FASTOPEN, and to no address. sendmsg() has
 * its address in memory, where a filter cannot see it, so nothing here uses it. */
static bool allow_sending(scmp_filter_ctx f)
{
    return allow_only(f, "send", 3, SENDING) &&
           confine_allow(f, "sendto", 2,
                         (struct scmp_arg_cmp[]){confine_only(3, SENDING), {4, SCMP_CMP_EQ, 0, 0}});
}

/* The socket options that the session sets and reads (rfb/net/sockets/socket.c). Others would load
 * modules of the kernel, or run filters in it. */
static bool allow_socket_options(scmp_filter_ctx f)
{
    static const struct {
        const char *call;
        int level, option;
    } options[] = {
        {"setsockopt", SOL_SOCKET, SO_RCVBUF},
        {"setsockopt", SOL_SOCKET, SO_KEEPALIVE},
        {"setsockopt", IPPROTO_IP, IP_MTU_DISCOVER},
        {"setsockopt", IPPROTO_TCP, TCP_NODELAY},
        {"setsockopt", IPPROTO_TCP, TCP_NOTSENT_LOWAT},
        {"setsockopt", IPPROTO_TCP, TCP_KEEPIDLE},
        {"setsockopt", IPPROTO_TCP, TCP_KEEPINTVL},
        {"setsockopt", IPPROTO_TCP, TCP_KEEPCNT},
        {"setsockopt", IPPROTO_TCP, TCP_USER_TIMEOUT},
        {"setsockopt", IPPROTO_TCP, TCP_WINDOW_CLAMP},
        {"getsockopt", SOL_SOCKET, SO_RCVBUF},
        {"getsockopt", SOL_SOCKET, SO_DOMAIN},
        {"getsockopt", IPPROTO_TCP, TCP_INFO},
    };
    bool ok = true;

    for (size_t i = 0; ok && i < sizeof options / sizeof *options; i++)
        ok = confine_allow(
            f, options[i].call, 2,
            (struct scmp_arg_cmp[]){{1, SCMP_CMP_EQ, (scmp_datum_t)options[i].level, 0},
                                    {2, SCMP_CMP_EQ, (scmp_datum_t)options[i].option, 0}});
    return ok;
}

/* Private memory, as the C library and the decoders ask for it, and shared files. What is shared
 * and anonymous, and stacks that grow by themselves, would not count for RLIMIT_DATA. Huge pages,
 * and pages that are locked or fetched at once, would take the machine's memory before they are
 * used. */
static bool allow_mapping_as(scmp_filter_ctx f, const char *name)
{
    const uint64_t private = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK | MAP_FIXED;

    return confine_allow(
               f, name, 2,
               (struct scmp_arg_cmp[]){confine_only(2, MEMORY), confine_only(3, private)}) &&
           confine_allow(
               f, name, 2,
               (struct scmp_arg_cmp[]){confine_only(2, MEMORY), confine_only(3, MAP_SHARED)});
}

static bool allow_mapping(scmp_filter_ctx f)
{
#ifndef __i386__ /* there mmap() has its arguments in memory, where a filter cannot see them */
    if (!allow_mapping_as(f, "mmap"))
        return false;
#endif
    return allow_mapping_as(f, "mmap2");
}

static bool allow_parts(scmp_filter_ctx f)
{
    static const int ioctls[] = {FIONREAD, SIOCOUTQ, SIOCOUTQNSD};
    static const int fcntls[] = {F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC, F_GET_SEALS};
    bool ok = true;

    ok = ok && allow_mapping(f) && allow_only(f, "mprotect", 2, MEMORY);
    /* abort() sends a signal to its own thread */
    ok = ok && allow_value(f, "tgkill", 0, (uint64_t)getpid());
    ok = ok && allow_value(f, "prctl", 0, PR_SET_NAME) &&
         allow_value(f, "prctl", 0, PR_SET_TIMERSLACK);
    ok = ok && allow_sending(f);
    ok = ok && allow_socket_options(f);
    for (size_t i = 0; ok && i < sizeof ioctls / sizeof *ioctls; i++)
        ok = allow_value(f, "ioctl", 1, (uint64_t)ioctls[i]);
    for (size_t i = 0; ok && i < sizeof fcntls / sizeof *fcntls; i++)
        ok = allow_value(f, "fcntl", 1, (uint64_t)fcntls[i]) &&
             allow_value(f, "fcntl64", 1, (uint64_t)fcntls[i]);
    return ok;
}

static bool filter_calls(void)
{
    scmp_filter_ctx f = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    bool ok = f && seccomp_attr_set(f, SCMP_FLTATR_CTL_TSYNC, 1) == 0 && allow_parts(f);

    for (size_t i = 0; ok && i < sizeof allowed / sizeof *allowed; i++)
        ok = confine_allow(f, allowed[i], 0, NULL);
    ok = ok && seccomp_load(f) == 0;
    if (f)
        seccomp_release(f);
    return ok;
}

#else

static bool filter_calls(void)
{
    return false;
}

#endif

/* ---- all of it ---- */

void confine_begin(struct worker_layers *layers, enum confined who)
{
    layers->limits = confine_limits(who);
    layers->files =
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && landlock_enforce(landlock_allow_nothing());
}

void confine_finish(struct worker_layers *layers)
{
    layers->calls = !SANITIZED && filter_calls();
}

bool confine_suffices(const struct worker_layers *layers)
{
    return layers->files && layers->calls;
}
