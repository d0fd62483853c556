#include "servers.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "png.hpp"
#include "x_server.hpp"

namespace e2e
{

static const uid_t NOBODY = 65534;

void Server::stop()
{
    screen.reset();
    while (!processes.empty())
        processes.pop_back();
}

bool installed(const std::string &program)
{
    if (!find_program(program).empty())
        return true;
    if (getenv("VNCHL_REQUIRE_SERVERS"))
        throw std::runtime_error(program + " is not installed and VNCHL_REQUIRE_SERVERS is set");
    fprintf(stderr, "skipped: %s is not installed\n", program.c_str());
    return false;
}

/* Is a socket listening on this port? Read from the kernel's table: connecting to find out would
 * count as a failed login on some servers. */
static bool listening(int port)
{
    char wanted[8];
    snprintf(wanted, sizeof wanted, ":%04X", port);
    for (const char *table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
        std::ifstream f(table);
        std::string line;
        while (std::getline(f, line)) {
            std::istringstream fields(line);
            std::string number, local, remote, state;
            fields >> number >> local >> remote >> state;
            if (state == "0A" && local.size() > 5 &&
                local.compare(local.size() - 5, 5, wanted) == 0)
                return true;
        }
    }
    return false;
}

/* Waits for the port or for the server to die of it. */
static void await_port(Server &s, int port)
{
    Process &p = *s.processes.back();
    bool up = wait_until(PATIENCE, [&] { return listening(port) || !p.running(); });
    if (!up || !p.running())
        throw std::runtime_error(s.name + " did not come up: " + p.err());
    s.port = port;
    s.address = "127.0.0.1::" + std::to_string(port);
}

static Process &spawn(Server &s, const Command &c)
{
    s.processes.push_back(std::make_unique<Process>(c));
    return *s.processes.back();
}

static std::string geometry(const XvncOptions &o)
{
    return std::to_string(o.width) + "x" + std::to_string(o.height);
}

static void append(std::vector<std::string> &to, const std::vector<std::string> &more)
{
    to.insert(to.end(), more.begin(), more.end());
}

std::unique_ptr<Server> start_tigervnc(const XvncOptions &options)
{
    if (!installed("Xtigervnc"))
        return nullptr;
    auto s = std::make_unique<Server>();
    s->name = "TigerVNC";
    int port = free_port();
    Command c;
    c.argv = {"Xtigervnc", "-geometry",          geometry(options), "-depth",    "24",
              "-rfbport",  std::to_string(port), "-localhost",      "-nolisten", "tcp",
              "-noreset",  "-UseBlacklist=0",    "-desktop",        "vnchl test"};
    bool has_security = false;
    for (const auto &a : options.more)
        has_security |= a == "-SecurityTypes";
    if (!has_security)
        append(c.argv, {"-SecurityTypes", "None"});
    append(c.argv, options.more);
    s->processes.push_back(start_x_server(c, s->display));
    await_port(*s, port);
    if (options.with_screen)
        s->screen = std::make_unique<XScreen>(s->display);
    return s;
}

std::unique_ptr<Server> start_tightvnc(const XvncOptions &options)
{
    if (!installed("Xtightvnc"))
        return nullptr;
    auto s = std::make_unique<Server>();
    s->name = "TightVNC";
    /* It takes a display number and nothing else: look for a free one, and try again when somebody
     * was faster. */
    for (int tries = 0, n = 100 + static_cast<int>(getpid()) % 400; tries < 20; tries++, n++) {
        std::string number = std::to_string(n);
        if (file_exists("/tmp/.X11-unix/X" + number) || file_exists("/tmp/.X" + number + "-lock"))
            continue;
        int port = free_port();
        Command c;
        c.argv = {"Xtightvnc", ":" + number, "-geometry",          geometry(options), "-depth",
                  "24",        "-rfbport",   std::to_string(port), "-localhost",      "-nolisten",
                  "tcp",       "-desktop",   "vnchl test",         "-rfbwait",        "30000"};
        append(c.argv, options.more);
        Process &p = spawn(*s, c);
        if (wait_until(PATIENCE,
                       [&] {
                           return !p.running() ||
                                  (listening(port) && file_exists("/tmp/.X11-unix/X" + number));
                       }) &&
            p.running()) {
            s->display = ":" + number;
            await_port(*s, port);
            if (options.with_screen)
                s->screen = std::make_unique<XScreen>(s->display);
            return s;
        }
        if (tries == 19)
            throw std::runtime_error("TightVNC did not come up: " + p.err());
        s->processes.pop_back();
    }
    throw std::runtime_error("no free display for TightVNC");
}

void set_layout(const Server &server, const std::string &layout)
{
    Command c;
    c.argv = {"setxkbmap", "-display", server.display, "-layout", layout};
    if (run(c).status != 0)
        throw std::runtime_error("setxkbmap cannot set the layout " + layout);
}

std::unique_ptr<Server> start_x11vnc(const XvncOptions &options)
{
    if (!installed("x11vnc") || !installed("Xvfb"))
        return nullptr;
    auto s = std::make_unique<Server>();
    s->name = "x11vnc";
    Command x;
    x.argv = {"Xvfb", "-screen", "0", geometry(options) + "x24", "-nolisten", "tcp", "-noreset"};
    s->processes.push_back(start_x_server(x, s->display));
    if (!options.layout.empty())
        set_layout(*s, options.layout);
    if (options.with_screen)
        s->screen = std::make_unique<XScreen>(s->display);
    int port = free_port();
    Command c;
    c.argv = {"x11vnc",   "-display", s->display, "-rfbport", std::to_string(port), "-localhost",
              "-forever", "-shared",  "-norc",    "-quiet",   "-desktop",           "vnchl test"};
    bool has_password = false;
    for (const auto &a : options.more)
        has_password |= a == "-rfbauth" || a == "-passwdfile";
    if (!has_password)
        c.argv.push_back("-nopw");
    append(c.argv, options.more);
    spawn(*s, c);
    await_port(*s, port);
    return s;
}

std::string vnc_password_file(const TempDir &dir, const std::string &password)
{
    for (const char *program : {"tigervncpasswd", "tightvncpasswd", "vncpasswd"}) {
        if (find_program(program).empty())
            continue;
        Command c;
        c.argv = {program, "-f"};
        c.input = password + "\n";
        Finished f = run(c);
        if (f.status == 0 && f.out.size() >= 8) {
            write_file(dir.file("passwd"), f.out);
            chmod(dir.file("passwd").c_str(), 0600); /* as vncpasswd leaves it */
            return dir.file("passwd");
        }
    }
    return "";
}

std::string vnc_password_file(const Server &server, const std::string &password)
{
    return vnc_password_file(server.dir, password);
}

XvncOptions with_password(const TempDir &dir, const std::string &password)
{
    std::string file = vnc_password_file(dir, password);
    if (file.empty())
        throw std::runtime_error("no program makes a password file");
    XvncOptions options;
    options.more = {"-SecurityTypes", "VncAuth", "-rfbauth", file};
    return options;
}

bool make_certificate(const TempDir &dir, bool readable)
{
    if (!installed("openssl"))
        return false;
    Command c;
    c.argv = {"openssl",
              "req",
              "-x509",
              "-newkey",
              "ec",
              "-pkeyopt",
              "ec_paramgen_curve:prime256v1",
              "-nodes",
              "-days",
              "2",
              "-subj",
              "/CN=localhost",
              "-addext",
              "subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1",
              "-keyout",
              dir.file("key.pem"),
              "-out",
              dir.file("cert.pem")};
    if (run(c, PATIENCE).status != 0)
        return false;
    if (readable) {
        chmod(dir.path().c_str(), 0755);
        chmod(dir.file("key.pem").c_str(), 0644);
        chmod(dir.file("cert.pem").c_str(), 0644);
    }
    return true;
}

XvncOptions with_certificate(const TempDir &dir)
{
    XvncOptions options;
    options.more = {"-SecurityTypes",     "X509None", "-X509Cert",
                    dir.file("cert.pem"), "-X509Key", dir.file("key.pem")};
    return options;
}

/* ---- QEMU ---- */

/* 320x200 in 256 colours; pixel = low byte ^ high byte of its offset + the last key's code. With
 * the first key the speaker begins to sound, if QEMU has one. */
static const unsigned char BOOT_CODE[] = {
    0xb8, 0x13, 0x00,       /*       mov ax, 0x13            */
    0xcd, 0x10,             /*       int 0x10                */
    0xb8, 0x00, 0xa0,       /*       mov ax, 0xa000          */
    0x8e, 0xc0,             /*       mov es, ax              */
    0x30, 0xdb,             /*       xor bl, bl              */
    0x31, 0xff,             /* draw: xor di, di              */
    0x89, 0xf8,             /* next: mov ax, di              */
    0x30, 0xe0,             /*       xor al, ah              */
    0x00, 0xd8,             /*       add al, bl              */
    0xaa,                   /*       stosb                   */
    0x81, 0xff, 0x00, 0xfa, /*       cmp di, 64000           */
    0x72, 0xf3,             /*       jb next                 */
    0x30, 0xe4,             /*       xor ah, ah              */
    0xcd, 0x16,             /*       int 0x16: wait for a key */
    0xe6, 0xe9,             /*       out 0xe9, al            */
    0x88, 0xc3,             /*       mov bl, al              */
    0xb0, 0xb6,             /*       mov al, 0xb6            */
    0xe6, 0x43,             /*       out 0x43, al: the timer */
    0xb8, 0xa9, 0x04,       /*       mov ax, 1193: 1000 Hz   */
    0xe6, 0x42,             /*       out 0x42, al            */
    0x88, 0xe0,             /*       mov al, ah              */
    0xe6, 0x42,             /*       out 0x42, al            */
    0xe4, 0x61,             /*       in al, 0x61             */
    0x0c, 0x03,             /*       or al, 3: the speaker   */
    0xe6, 0x61,             /*       out 0x61, al            */
    0xeb, 0xd4,             /*       jmp draw                */
};

static bool read_line(int fd, std::string &line)
{
    line.clear();
    char c;
    while (recv(fd, &c, 1, 0) == 1) {
        if (c == '\n')
            return true;
        line += c;
    }
    return false;
}

bool Qemu::monitor(const std::string &json, std::string *answer)
{
    std::string line = json + "\n";
    if (qmp_ < 0 || send(qmp_, line.data(), line.size(), MSG_NOSIGNAL) < 0)
        return false;
    while (read_line(qmp_, line)) {
        if (answer)
            *answer = line;
        if (line.find("\"return\"") != std::string::npos)
            return true;
        if (line.find("\"error\"") != std::string::npos)
            return false;
    }
    return false;
}

Image Qemu::screendump()
{
    std::string path = dir.file("screen.ppm");
    if (!monitor("{\"execute\":\"screendump\",\"arguments\":{\"filename\":\"" + path + "\"}}"))
        return Image();
    return read_ppm(path);
}

bool Qemu::painted()
{
    Image screen = screendump();
    return screen.width == 640 && screen.height == 400 && colours(screen) >= 64;
}

std::string Qemu::keys() const
{
    return read_file(dir.file("keys"));
}

std::string Qemu::input_trace() const
{
    return read_file(dir.file("trace"));
}

Qemu::~Qemu()
{
    if (qmp_ >= 0)
        close(qmp_);
}

std::unique_ptr<Qemu> start_qemu(const std::vector<std::string> &more,
                                 const std::string &vnc_options)
{
    if (!installed("qemu-system-x86_64"))
        return nullptr;
    auto s = std::make_unique<Qemu>();
    s->name = "QEMU";
    std::string sector(reinterpret_cast<const char *>(BOOT_CODE), sizeof BOOT_CODE);
    sector.resize(510, '\0');
    sector += "\x55\xaa";
    sector.resize(1440 * 1024, '\0');
    write_file(s->dir.file("boot.img"), sector);
    int port = free_port();
    std::string qmp = s->dir.file("qmp");
    Command c;
    c.argv = {"qemu-system-x86_64",
              "-accel",
              "tcg",
              "-m",
              "16",
              "-nodefaults",
              "-vga",
              "std",
              "-display",
              "none",
              "-drive",
              "if=floppy,format=raw,file=" + s->dir.file("boot.img"),
              "-boot",
              "a",
              "-vnc",
              "127.0.0.1:" + std::to_string(port - 5900) + vnc_options,
              "-qmp",
              "unix:" + qmp + ",server=on,wait=off",
              "-debugcon",
              "file:" + s->dir.file("keys"),
              "-trace",
              "input_event_btn",
              "-trace",
              "input_event_rel",
              "-trace",
              "input_event_abs",
              "-D",
              s->dir.file("trace"),
              "-name",
              "vnchl test"};
    append(c.argv, more);
    spawn(*s, c);
    await_port(*s, port);
    s->qmp_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    timeval limit = {PATIENCE.count(), 0};
    setsockopt(s->qmp_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    sockaddr_un a = {};
    a.sun_family = AF_UNIX;
    snprintf(a.sun_path, sizeof a.sun_path, "%s", qmp.c_str());
    std::string greeting;
    if (!wait_until(
            PATIENCE,
            [&] { return connect(s->qmp_, reinterpret_cast<sockaddr *>(&a), sizeof a) == 0; }) ||
        !read_line(s->qmp_, greeting) || !s->monitor("{\"execute\":\"qmp_capabilities\"}"))
        throw std::runtime_error("QEMU's monitor does not answer");
    return s;
}

std::unique_ptr<Qemu> start_qemu_with_sound()
{
    return start_qemu({"-audiodev", "none,id=snd0", "-machine", "pcspk-audiodev=snd0"},
                      ",audiodev=snd0");
}

/* ---- wayvnc on sway ---- */

static std::string first_entry(const std::string &folder, const std::string &prefix,
                               const std::string &without)
{
    Command c;
    c.argv = {"ls", folder};
    std::istringstream names(run(c).out);
    std::string name;
    while (std::getline(names, name))
        if (name.compare(0, prefix.size(), prefix) == 0 && name.find(without) == std::string::npos)
            return name;
    return "";
}

bool Wayland::background(const Image &image)
{
    /* A name of its own each time: sway ignores a command that changes nothing. */
    std::string path = dir.file("background" + std::to_string(backgrounds_++) + ".png");
    if (!write_png(path, image))
        return false;
    chmod(path.c_str(), 0644);
    Command c;
    c.argv = {"swaymsg", "-s",    dir.file(first_entry(dir.path(), "sway-ipc.", "none")),
              "output",  "*",     "bg",
              path,      "center"};
    return run(c).status == 0;
}

bool Wayland::key_seen(const std::string &key) const
{
    return file_exists(dir.file("key-" + key));
}

std::unique_ptr<Wayland> start_wayvnc(const WayvncOptions &options)
{
    if (!installed("wayvnc") || !installed("sway") || !installed("swaybg"))
        return nullptr;
    auto s = std::make_unique<Wayland>();
    s->name = "wayvnc";
    s->width = 516;
    s->height = 388;
    /* sway refuses to run as root. */
    uid_t uid = getuid() == 0 ? NOBODY : 0;
    if (uid && chown(s->dir.path().c_str(), uid, uid) != 0)
        throw std::runtime_error("chown failed");
    std::string config = "xwayland disable\noutput * resolution 516x388 position 0 0\n"
                         "output * bg #204060 solid_color\nseat * hide_cursor 100\n";
    for (const char *key : {"x", "Return", "F5"})
        config += std::string("bindsym ") + key + " exec touch " + s->dir.file("key-") + key + "\n";
    write_file(s->dir.file("sway.config"), config, 0644);
    Command compositor;
    compositor.argv = {"sway", "-c", s->dir.file("sway.config")};
    compositor.env = {{"XDG_RUNTIME_DIR", s->dir.path()},
                      {"WLR_BACKENDS", "headless"},
                      {"WLR_LIBINPUT_NO_DEVICES", "1"},
                      {"WLR_RENDERER", "pixman"},
                      {"HOME", s->dir.path()}};
    compositor.unset = {"DISPLAY", "WAYLAND_DISPLAY", "SWAYSOCK"};
    compositor.uid = uid;
    Process &sway = spawn(*s, compositor);
    std::string wayland;
    if (!wait_until(PATIENCE,
                    [&] {
                        wayland = first_entry(s->dir.path(), "wayland-", "lock");
                        return !sway.running() ||
                               (!wayland.empty() &&
                                !first_entry(s->dir.path(), "sway-ipc.", "none").empty());
                    }) ||
        !sway.running())
        throw std::runtime_error("sway did not come up: " + sway.err());
    int port = free_port();
    std::string settings;
    if (!options.user.empty()) {
        if (!make_certificate(s->dir, true))
            return nullptr;
        chmod(s->dir.path().c_str(), 0700);
        settings = "enable_auth=true\nusername=" + options.user + "\npassword=" + options.password +
                   "\nprivate_key_file=" + s->dir.file("key.pem") +
                   "\ncertificate_file=" + s->dir.file("cert.pem") + "\n";
    }
    write_file(s->dir.file("wayvnc.config"), settings, 0644);
    Command c;
    c.argv = {"wayvnc", "-C", s->dir.file("wayvnc.config"), "127.0.0.1", std::to_string(port)};
    c.env = {
        {"XDG_RUNTIME_DIR", s->dir.path()}, {"WAYLAND_DISPLAY", wayland}, {"HOME", s->dir.path()}};
    c.uid = uid;
    spawn(*s, c);
    await_port(*s, port);
    return s;
}

} // namespace e2e
