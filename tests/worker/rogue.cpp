// In the place of vnchl-session: a process that a hostile server has taken over. What it does is
// named in the place of a file of revoked certificates.
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "rfb/decode/picture_memory.h"
#include "rfb/proto/extensions/qemu_audio.h"
#include "rfb/system/descriptors.h"
#include "rfb/worker/confined/confine.h"
#include "rogue_channel.hpp"

#ifdef __SANITIZE_ADDRESS__
/* A crash is to look as without it; and to look for leaks needs calls that are taken away. */
extern "C" const char *__asan_default_options();
extern "C" const char *__asan_default_options()
{
    return "handle_segv=0:detect_leaks=0";
}
#endif

using namespace rogue;

namespace
{

// ---- what may not succeed ----

bool opens(const std::string &path, int flags)
{
    return open(path.c_str(), flags, 0600) >= 0;
}

bool connects()
{
    struct sockaddr_in a = {};
    a.sin_family = AF_INET;
    a.sin_port = htons(start.options.address.port);
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    return fd >= 0 && connect(fd, reinterpret_cast<sockaddr *>(&a), sizeof a) == 0;
}

bool reads_memory(pid_t of)
{
    char byte;
    struct iovec here = {&byte, 1}, there = {&byte, 1};
    return process_vm_readv(of, &here, 1, &there, 1, 0) == 1;
}

// The attempts that succeeded; "nothing" if none did.
std::string attempt_all()
{
    const std::string folder = start.options.x509_ca;
    const pid_t parent = static_cast<pid_t>(start.options.stall_timeout);
    char *const argv[] = {const_cast<char *>("true"), nullptr};
    const struct rlimit more = {1 << 20, 1 << 20};
    const std::vector<std::pair<const char *, std::function<bool()>>> attempts = {
        {"read-a-file", [&] { return opens(folder + "/secret", O_RDONLY); }},
        {"write-a-file", [&] { return opens(folder + "/new", O_CREAT | O_WRONLY); }},
        {"read-a-system-file", [] { return opens("/etc/passwd", O_RDONLY); }},
        {"read-the-parent",
         [&] { return opens("/proc/" + std::to_string(parent) + "/mem", O_RDWR); }},
        {"look-at-a-file",
         [&] {
             struct stat s;
             return stat((folder + "/secret").c_str(), &s) == 0 ||
                    fstatat(AT_FDCWD, (folder + "/secret").c_str(), &s, AT_EMPTY_PATH) == 0;
         }},
        {"list-a-folder", [&] { return opens(folder, O_RDONLY | O_DIRECTORY); }},
        {"remove", [&] { return unlink((folder + "/secret").c_str()) == 0; }},
        {"make-a-socket", [] { return socket(AF_UNIX, SOCK_STREAM, 0) >= 0; }},
        {"connect", connects},
        {"connect-anew",
         [] { // the filter takes it away, whatever the socket is
             return sendto(WORKER_CHANNEL_FD, "", 0, MSG_FASTOPEN, nullptr, 0) >= 0 ||
                    errno != EPERM;
         }},
        {"send-to-an-address",
         [] { // likewise: a socket for datagrams would take one, although it is connected
             struct sockaddr_in a = {};
             a.sin_family = AF_INET;
             struct msghdr m = {};
             struct mmsghdr many = {};
             auto *to = reinterpret_cast<sockaddr *>(&a);
             return sendto(WORKER_CHANNEL_FD, "", 0, MSG_DONTWAIT, to, sizeof a) >= 0 ||
                    errno != EPERM || sendmsg(WORKER_CHANNEL_FD, &m, MSG_DONTWAIT) >= 0 ||
                    errno != EPERM || sendmmsg(WORKER_CHANNEL_FD, &many, 1, MSG_DONTWAIT) >= 0 ||
                    errno != EPERM || connect(WORKER_CHANNEL_FD, to, sizeof a) == 0 ||
                    errno != EPERM;
         }},
        {"listen", [] { return listen(socket(AF_INET, SOCK_STREAM, 0), 1) == 0; }},
        {"fork", [] { return fork() >= 0; }},
        {"new-thread",
         [] {
             pthread_t t;
             return pthread_create(
                        &t, nullptr, [](void *) -> void * { return nullptr; }, nullptr) == 0;
         }},
        {"new-process", [] { return syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) >= 0; }},
        {"run", [&] { return execv("/bin/true", argv) == 0; }},
        {"signal", [&] { return kill(parent, 0) == 0 || kill(getppid(), 0) == 0; }},
        {"signal-all", [] { return kill(-1, 0) == 0; }},
        {"trace", [&] { return ptrace(PTRACE_SEIZE, parent, nullptr, nullptr) == 0; }},
        {"read-memory", [&] { return reads_memory(parent); }},
        {"code-of-its-own",
         [] {
             return mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
         }},
        {"memory-that-is-not-counted",
         [] {
             return mmap(nullptr, 1 << 30, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                         0) != MAP_FAILED ||
                    mmap(nullptr, 4096, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1, 0) != MAP_FAILED;
         }},
        {"memory-of-another-kind",
         [] {
             for (int kind : {MAP_HUGETLB, MAP_LOCKED, MAP_POPULATE, MAP_POPULATE | MAP_NONBLOCK})
                 if (mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | kind,
                          -1, 0) != MAP_FAILED ||
                     errno != EPERM)
                     return true;
             return false;
         }},
        {"send-in-another-way",
         [] {
             return send(WORKER_CHANNEL_FD, "", 0, MSG_ZEROCOPY | MSG_DONTWAIT) >= 0 ||
                    errno != EPERM;
         }},
        {"addresses-without-end",
         [] {
             return mmap(nullptr, 4ul << 30, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
                    MAP_FAILED;
         }},
        {"shrink-the-picture", [] { return ftruncate(WORKER_PICTURE_FD, 0) == 0; }},
        {"grow-the-picture", [] { return ftruncate(WORKER_PICTURE_FD, 1l << 40) == 0; }},
        {"unseal", [] { return fcntl(WORKER_PICTURE_FD, F_ADD_SEALS, F_SEAL_WRITE) == 0; }},
        {"raise-a-limit", [&] { return setrlimit(RLIMIT_CORE, &more) == 0; }},
        {"become-dumpable", [] { return prctl(PR_SET_DUMPABLE, 1) == 0; }},
        {"new-namespace", [] { return unshare(CLONE_NEWUSER) == 0; }},
        {"mount", [] { return mount("none", "/tmp", "tmpfs", 0, nullptr) == 0; }},
        {"become-root", [] { return setuid(0) == 0; }},
        {"keys", [] { return syscall(SYS_keyctl, 0, -3, 0, 0, 0) >= 0; }},
        {"load-a-module",
         [] {
             return setsockopt(WORKER_CHANNEL_FD, SOL_TCP, TCP_ULP, "tls", 4) == 0 ||
                    errno != EPERM;
         }},
        {"who-is-the-parent",
         [] {
             struct ucred who;
             socklen_t size = sizeof who;
             return getsockopt(WORKER_CHANNEL_FD, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0;
         }},
        {"io-uring", [] { return syscall(SYS_io_uring_setup, 1, nullptr) >= 0; }},
        {"terminal", [] { return ioctl(STDERR_FILENO, 0x5412 /* TIOCSTI */, "x") == 0; }},
    };
    std::string worked;
    for (const auto &[name, works] : attempts)
        if (works())
            worked += std::string(worked.empty() ? "" : " ") + name;
    return worked.empty() ? "nothing" : worked;
}

// A door (rfb/pusher/words.h) in which a socket waits, with a packet in it.
int door_with_a_socket()
{
    int door[2], socket[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, door) != 0 ||
        socketpair(AF_UNIX, SOCK_DGRAM, 0, socket) != 0 || send(socket[1], "packet", 6, 0) != 6 ||
        !descriptors_send(door[0], "", 1, socket, 1))
        _exit(1);
    return door[1];
}

// What comes through a door has to work.
bool uses_a_door(int door)
{
    char bytes[8];
    int fd;
    return descriptors_receive(door, bytes, 1, &fd, 1, MSG_DONTWAIT) == 1 && fd >= 0 &&
           recv(fd, bytes, sizeof bytes, MSG_DONTWAIT) == 6 &&
           send(fd, "packet", 6, MSG_DONTWAIT | MSG_NOSIGNAL) == 6;
}

void confined()
{
    struct worker_layers layers = {};
    layers.namespaces = start.namespaces;
    confine_begin(&layers, CONFINED_SESSION);
    confine_finish(&layers);
    tell(WORKER_CONFINED, &layers, sizeof layers);
}

void confined_and_attempt()
{
    const int door = door_with_a_socket();
    confined();
    const std::string worked = attempt_all();
    tell_event(SESSION_NOTICE, uses_a_door(door) ? worked : worked + ", and no door");
}

// ---- what may not be said ----

void say_too_much()
{
    const uint32_t head[4] = {WORKER_EVENT, UINT32_MAX, 0, 0};
    if (write(WORKER_CHANNEL_FD, head, sizeof head) < 0)
        _exit(1);
}

void say_figures_that_cannot_be()
{
    static struct session_stats stats;
    size_t size;
    picture_header *picture = picture_memory_map(WORKER_PICTURE_FD, &size);
    if (!picture)
        _exit(1);
    memset(static_cast<void *>(&stats), 0xff, sizeof stats);
    picture_put_figures(picture, &stats, sizeof stats);
    tell_event(SESSION_NOTICE, "they are there");
    while (receive().type != WORKER_WANT_ROW)
        ;
    tell(WORKER_STATS, &stats, sizeof stats);
}

void connect_link()
{
    const tick_t deadline = TICK_NEVER;
    tell(WORKER_CONNECT, &deadline, sizeof deadline);
    if (receive().type != WORKER_LINK)
        _exit(1);
}

// Asks for a UDP socket, and takes the answer. -1: it came without one.
/* It names a host, which is not its business. */
void tell_ticket(uint16_t port)
{
    struct session_ticket t = {};
    t.port = port;
    memset(t.secret, 's', sizeof t.secret);
    memset(t.host, 'h', sizeof t.host);
    tell_event(SESSION_TICKET, std::string(reinterpret_cast<char *>(&t), sizeof t), sizeof t);
}

int ask_datagrams(uint16_t port)
{
    tell(WORKER_DATAGRAMS, &port, sizeof port);
    struct channel_message m = receive();
    if (m.type != WORKER_PATH)
        _exit(1);
    return m.fd;
}

// Speaks with the server's port, but by UDP, as far as who is confined can.
void speak_by_datagrams()
{
    confined();
    connect_link();
    int fd = ask_datagrams(start.options.address.port);
    struct pollfd p = {fd, POLLIN, 0};
    char answer[64];
    if (fd < 0)
        return tell_event(SESSION_NOTICE, "nowhere");
    if (send(fd, "hello", 5, MSG_DONTWAIT | MSG_NOSIGNAL) != 5 || poll(&p, 1, -1) != 1)
        _exit(1);
    ssize_t n = recv(fd, answer, sizeof answer, MSG_DONTWAIT);
    tell_event(SESSION_NOTICE, std::string(answer, n < 0 ? 0 : static_cast<size_t>(n)));
}

void ask_datagrams_often()
{
    int given = 0;
    connect_link();
    for (int i = 0; i < 300; i++) {
        int fd = ask_datagrams(start.options.address.port);
        given += fd >= 0;
        close(fd);
    }
    tell_event(SESSION_NOTICE, std::to_string(given));
}

// In the name of another server.
void ask(uint32_t kind, uint32_t channel, bool dh = false)
{
    struct session_question q = {};
    q.number = 1;
    q.kind = kind;
    q.channel = channel;
    q.proof = dh                               ? PROOF_DH
              : kind == QUESTION_PASSWORD      ? PROOF_VNC
              : kind == QUESTION_USER_PASSWORD ? PROOF_PLAIN
                                               : PROOF_NONE;
    q.port = 1;
    strcpy(q.host, "bank.example");
    tell_event(SESSION_QUESTION, std::string(reinterpret_cast<char *>(&q), sizeof q), sizeof q);
}

void ask_in_another_name()
{
    ask(QUESTION_PASSWORD, CHANNEL_CLEAR);
}

void connect_and_be_let_in()
{
    const struct worker_layers layers = {};
    tell(WORKER_CONFINED, &layers, sizeof layers); // as an honest one does before it reads
    connect_link();
    struct session_event head = {};
    head.type = SESSION_CONNECTED;
    head.width = head.height = 1;
    tell_event(head, "a name", 7);
}

// Then says that it has ended, or comes.
void play(const std::string &piece, int times, bool says = false)
{
    const session_event event = {SESSION_SOUND, 0, times == 0, 0, 0, 0, 0, 0};
    connect_and_be_let_in();
    for (int i = 0; i < times; i++)
        tell(WORKER_SOUND, piece.data(), piece.size());
    if (says)
        tell(WORKER_EVENT, &event, sizeof event);
    tell_event(SESSION_NOTICE, "all is said");
}

void say_sound(bool comes)
{
    const session_event event = {SESSION_SOUND, 0, comes, 0, 0, 0, 0, 0};
    tell(WORKER_EVENT, &event, sizeof event);
    usleep(300); // so that the owner can take each of them
}

// In the end it comes, for as long as the viewer says nothing.
void play_on_and_off()
{
    struct channel_message m;
    connect_and_be_let_in();
    for (int i = 0; i < 1000; i++) {
        say_sound(true);
        say_sound(false);
    }
    say_sound(true);
    tell_event(SESSION_NOTICE, "all is said");
    while (channel_receive(viewer, &m) == CHANNEL_EMPTY) {
        tell(WORKER_SOUND, "abcd", 4);
        usleep(1000);
    }
    _exit(0);
}

void connect_for_ever()
{
    const tick_t deadline = TICK_NEVER;
    for (;;) {
        tell(WORKER_CONNECT, &deadline, sizeof deadline);
        receive();
    }
}

// A large message makes room for many small ones, which come faster than they are taken.
void keep_busy()
{
    std::vector<uint32_t> heads;
    for (int i = 0; i < 16384; i++)
        heads.insert(heads.end(), {WORKER_HEARD, 0, 0, 0});
    tell_event(SESSION_CUT_TEXT, std::string(SESSION_CUT_TEXT_MAX - 1, 'x'));
    for (;;)
        if (write(WORKER_CHANNEL_FD, heads.data(), heads.size() * sizeof heads[0]) < 0)
            _exit(0);
}

void never_stop()
{
    for (;;) {
        tell_event(SESSION_NAME, "a name");
        tell(WORKER_LINE, "\0\x1b]0;owned\x07", 11);
        tell(WORKER_WAKE, nullptr, 0);
    }
}

void spoil_the_picture()
{
    size_t size;
    struct picture_header *h = picture_memory_map(WORKER_PICTURE_FD, &size);
    if (!h)
        _exit(1);
    h->width = h->height = 8192;
    h->stride = UINT32_MAX;
    h->offset = UINT32_MAX - 3;
    h->damage.count = INT32_MAX;
    tell_event(SESSION_NOTICE, "spoilt");
}

void crash()
{
    /* a signal that it sent to itself would not end the first process of a namespace */
    void *p = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *static_cast<volatile char *>(p) = 1;
}

// With a connection; and with a session.
std::function<void()> linked(const std::function<void()> &act)
{
    return [act] {
        connect_link();
        act();
    };
}

std::function<void()> let_in(const std::function<void()> &act)
{
    return [act] {
        connect_and_be_let_in();
        act();
    };
}

const std::vector<std::pair<const char *, std::function<void()>>> acts = {
    {"attempts", confined_and_attempt},
    {"type", [] { tell(99, nullptr, 0); }},
    {"viewers-type", [] { tell(WORKER_END, nullptr, 0); }},
    {"large", say_too_much},
    {"short", [] { tell(WORKER_EVENT, "abc", 3); }},
    {"event", [] { tell_event(77, "x"); }},
    {"no-nul", [] { tell_event(SESSION_NAME, "abc", 3); }},
    {"escape", [] { tell_event(SESSION_NAME, "\x1b[2J"); }},
    {"twice",
     [] {
         tell_event(SESSION_CLOSED, "the end");
         tell_event(SESSION_CLOSED, "the end");
         tell_event(SESSION_NOTICE, "and more");
         tell_event(SESSION_NOTICE, "and more", 3); // without its end: nobody says that by chance
     }},
    {"last-words",
     [] {
         tell_event(SESSION_CLOSED, "the end");
         tell_event(SESSION_NOTICE, "another thread had something to say");
         while (receive().type != WORKER_END)
             ;
         tell(WORKER_TRACE_END, "the end of the trace", 20);
         _exit(0);
     }},
    {"stats", [] { tell(WORKER_STATS, "abc", 3); }},
    {"layers", [] { tell(WORKER_CONFINED, "abc", 3); }},
    {"layers-twice",
     [] {
         struct worker_layers layers = {};
         for (int i = 0; i < 2; i++)
             tell(WORKER_CONFINED, &layers, sizeof layers);
     }},
    {"trace", [] { tell(WORKER_TRACE, "abc", 3); }},
    {"record", [] { tell(WORKER_RECORD, "abc", 3); }},
    {"sound-too-soon", [] { tell(WORKER_SOUND, "abcd", 4); }},
    {"sound-in-part", [] { play("abc", 1); }},
    {"sound-comes", [] { play("", 0, true); }},
    {"sound-ends", [] { play(std::string(SOUND_PIECE_MAX, 'a'), 5, true); }},
    {"sound", [] { play(std::string(SOUND_PIECE_MAX, 'a'), 1000); }},
    {"sound-on-and-off", play_on_and_off},
    {"connects", connect_for_ever},
    {"figures", say_figures_that_cannot_be},
    {"question-too-soon", ask_in_another_name},
    {"question", linked([] { ask_in_another_name(); })},
    {"question-too-late", let_in([] { ask_in_another_name(); })},
    {"question-user", linked([] { ask(QUESTION_USER_PASSWORD, CHANNEL_CLEAR); })},
    {"question-dh", linked([] { ask(QUESTION_USER_PASSWORD, CHANNEL_CLEAR, true); })},
    {"question-trust", linked([] { ask(QUESTION_TRUST, CHANNEL_CERTIFICATE); })},
    {"certified-too-soon", [] { tell_event(SESSION_CERTIFIED, "", 0); }},
    {"certified",
     [] {
         connect_link();
         tell_event(SESSION_CERTIFIED, "", 0);
         pause();
     }},
    {"certified-doubted",
     [] {
         connect_link();
         ask(QUESTION_TRUST, CHANNEL_CERTIFICATE);
         tell_event(SESSION_CERTIFIED, "", 0);
         pause();
     }},
    {"certified-twice",
     [] {
         connect_link();
         tell_event(SESSION_CERTIFIED, "", 0);
         tell_event(SESSION_CERTIFIED, "", 0);
         pause();
     }},
    {"connect-late", let_in([] { connect_for_ever(); })},
    {"datagrams", speak_by_datagrams},
    {"datagrams-often", ask_datagrams_often},
    {"datagrams-too-soon", [] { ask_datagrams(SESSION_DATAGRAM_PORT_LEAST); }},
    {"datagrams-low", linked([] { ask_datagrams(SESSION_DATAGRAM_PORT_LEAST - 1); })},
    {"datagrams-short", linked([] { tell(WORKER_DATAGRAMS, "x", 1); })},
    {"ticket",
     [] {
         connect_and_be_let_in();
         tell_ticket(60125);
         tell_event(SESSION_BELL, "", 0);
         pause();
     }},
    {"ticket-too-soon", linked([] { tell_ticket(60125); })},
    {"ticket-low", let_in([] { tell_ticket(SESSION_DATAGRAM_PORT_LEAST - 1); })},
    {"asleep", [] { pause(); }},
    {"mute", linked([] { pause(); })},
    {"clipboard", [] { tell_event(SESSION_CUT_TEXT, "rm -rf"); }},
    {"notices",
     [] {
         for (int i = 0; i < 5000; i++) {
             tell_event(SESSION_NOTICE, "a notice");
             usleep(300); // so that the owner can take each of them
         }
         tell_event(SESSION_CLOSED, "the end");
     }},
    {"played",
     [] {
         struct session_event e = {};
         e.type = SESSION_CLOSED;
         e.failure = FAILURE_PLAYED;
         tell(WORKER_EVENT, &e, sizeof e);
     }},
    {"busy", keep_busy},
    {"flood", never_stop},
    {"picture", spoil_the_picture},
    {"crash", crash},
    {"crash-linked", linked(crash)},
    {"crash-shut-in",
     [] {
         const struct worker_layers layers = {};
         tell(WORKER_CONFINED, &layers, sizeof layers);
         crash();
     }},
    {"crash-let-in",
     [] {
         connect_and_be_let_in();
         crash();
     }},
    {"end", [] { _exit(0); }},
    {"build", [] { _exit(WORKER_OTHER_BUILD); }},
    {"deaf", [] { pause(); }},
};

} // namespace

int main()
{
    const struct channel_options options = {worker_limit_of_viewer, true};
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    viewer = channel_create(WORKER_CHANNEL_FD, &options);
    struct channel_message m = receive();
    if (m.type != WORKER_START || m.size != sizeof start)
        return 1;
    memcpy(static_cast<void *>(&start), m.body, sizeof start);
    for (const auto &[name, act] : acts)
        if (strcmp(start.options.x509_crl, name) == 0)
            act();
    while (receive().type != WORKER_END)
        ;
    return 0;
}
