#include "tests/linkem/far.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include "tests/catch.hpp"
#include "tests/e2e/shown_viewer.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/Xlib.h>
#include <X11/keysym.h>

namespace lab
{

using e2e::file_exists;
using e2e::PATIENCE;
using e2e::wait_until;

/* The port to which the viewer goes, and that of a server behind vnchl-accel. */
static const char PORT[] = "5950", BEHIND[] = "5951";

bool far_possible(const std::vector<std::string> &programs)
{
    std::vector<std::string> all = {"Xvfb", "Xtigervnc"};
    all.insert(all.end(), programs.begin(), programs.end());
    for (const auto &program : all)
        if (e2e::find_program(program).empty()) {
            printf("skipped: %s is not installed\n", program.c_str());
            return false;
        }
    return possible();
}

bool far_name_possible()
{
    e2e::Command c;
    if (!far_possible({"ip", "unshare"}))
        return false;
    c.argv = {"unshare", "-m", "true"};
    bool mounts = e2e::run(c).status == 0;
    if (!mounts)
        printf("skipped: a hosts file of its own needs root\n");
    return mounts;
}

/* A display number that nobody has on this machine: sockets in /tmp are shared by all network
 * namespaces. */
static std::string free_display()
{
    static int next = 500 + static_cast<int>(getpid()) % 400 * 10; /* tests run side by side */
    while (file_exists("/tmp/.X11-unix/X" + std::to_string(next)) ||
           file_exists("/tmp/.X" + std::to_string(next) + "-lock"))
        next++;
    return ":" + std::to_string(next++);
}

/* ---- the link and the viewer ---- */

static const char START[] = "echo $$ >\"$0/viewer.new\" && mv \"$0/viewer.new\" \"$0/viewer\" && "
                            "exec \"$@\"";
/* The same with a hosts file of its own, and a way to the server's second address. */
static const char START_NAMED[] = "ip route add 10.203.1.0/24 dev link && exec unshare -m sh -c '"
                                  "mount --bind \"$0/hosts\" /etc/hosts && "
                                  "echo $$ >\"$0/viewer.new\" && "
                                  "mv \"$0/viewer.new\" \"$0/viewer\" && "
                                  "exec \"$@\"' \"$0\" \"$@\"";

void Far::start_link()
{
    const bool by_name = options_.by_name;
    std::string fifo = dir_.file("control"), pid = dir_.file("link");
    std::string address = std::string(by_name ? FAR_NAME : FAR_ADDRESS) + "::" + PORT;
    std::string second = "ip addr add " + std::string(FAR_OTHER_ADDRESS) + "/32 dev link && ";
    e2e::Command c = e2e::ShownViewer::command(desk.name(), address, {"--recent", "off"});
    c.env["XDG_STATE_HOME"] = dir_.file("known"); /* other tests have this address, too */
    if (options_.accelerated) /* it pushes to nobody who has a list of encodings */
        c.argv.erase(c.argv.begin() + 1, c.argv.begin() + 3);
    REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
    control_ = open(fifo.c_str(), O_RDWR | O_CLOEXEC);
    REQUIRE(control_ >= 0);
    c.argv.insert(c.argv.end() - 1, options_.viewer.begin(), options_.viewer.end());
    std::vector<std::string> before = {linkem(),
                                       "--rtt",
                                       "40ms",
                                       "--control",
                                       fifo,
                                       "--wait-limit",
                                       "120s",
                                       "--wait-for",
                                       PORT,
                                       "--server-command",
                                       (by_name ? second : "") + "echo $LINKEM_SERVER_PID >" + pid +
                                           ".new && mv " + pid + ".new " + pid +
                                           "; exec sleep infinity",
                                       "--",
                                       "sh",
                                       "-c",
                                       by_name ? START_NAMED : START,
                                       dir_.path()};
    before.insert(before.begin() + 3, options_.link.begin(), options_.link.end());
    c.argv.insert(c.argv.begin(), before.begin(), before.end());
    link_ = std::make_unique<e2e::Process>(c);
    bool up = wait_until(PATIENCE, [&] { return file_exists(pid) || !running(); });
    INFO(link_->err());
    REQUIRE((up && running()));
}

Far::Far(const std::vector<std::string> &options, bool by_name)
    : Far(FarOptions{options, {}, by_name})
{
}

Far::Far(const FarOptions &options) : options_(options)
{
    move_name(FAR_ADDRESS);
    start_link();
    start_server(320, 240, options_.accelerated ? "127.0.0.1" : FAR_ADDRESS);
    if (options_.accelerated)
        start_accelerator();
    screen_->draw(0);
    screen_->settle();
    wait_until(PATIENCE, [&] {
        window = desk.find_desktop();
        return window || !running();
    });
    INFO(link_->err());
    REQUIRE(window);
    REQUIRE(wait_exact());
}

Far::~Far()
{
    end_accelerator();
    drop_server();
    link_.reset();
    if (control_ >= 0)
        ::close(control_);
}

void Far::set(const std::string &setting)
{
    std::string line = setting + "\n";
    REQUIRE(write(control_, line.data(), line.size()) == static_cast<ssize_t>(line.size()));
}

void Far::cut()
{
    set("loss=100%");
}

void Far::mend()
{
    set("loss=0%");
}

void Far::cut_for_a_while(unsigned long key)
{
    cut();
    CHECK(typing_until(SILENT));
    desk.tap(key); /* it is on its way */
    screen().draw(1);
    screen().settle();
    mend();
    CHECK(wait_title(NORMAL));
    CHECK(wait_exact());
    CHECK(screen().wait_key(key, true, PATIENCE));
    CHECK(screen().wait_key(key, false, PATIENCE));
}

void Far::move_name(const std::string &address)
{
    /* in place: the file is mounted */
    std::ofstream(dir_.file("hosts")) << address << " " << FAR_NAME << "\n";
}

pid_t Far::viewer()
{
    return std::stoi(e2e::read_file(dir_.file("viewer")));
}

pid_t Far::accelerator()
{
    return accelerator_->pid();
}

e2e::Finished Far::beside_viewer(const std::vector<std::string> &argv)
{
    e2e::Command c;
    c.argv = {linkem(), "--server", "--pid", std::to_string(viewer()), "--"};
    c.argv.insert(c.argv.end(), argv.begin(), argv.end());
    c.env = {{"XDG_STATE_HOME", dir_.file("known")}, {"XDG_CONFIG_HOME", "/no/such/folder"}};
    return e2e::run(c);
}

void Far::move_viewer(const std::string &address)
{
    const std::string other = "ip addr add " + address + "/32 dev link && ip addr del " +
                              NEAR_ADDRESS + "/30 dev link && ip route add " + FAR_ADDRESS +
                              " dev link src " + address;
    const e2e::Finished way = e2e::run(at_server({"ip", "route", "add", address, "dev", "link"})),
                        moved = beside_viewer({"sh", "-c", other});
    INFO(way.err << moved.err);
    REQUIRE(way.status == 0);
    REQUIRE(moved.status == 0);
}

/* "Udp: InDatagrams NoPorts InErrors OutDatagrams ...", and a line with the numbers. */
uint64_t Far::datagrams(bool came)
{
    std::ifstream table("/proc/" + std::to_string(viewer()) + "/net/snmp");
    std::string line, name;
    uint64_t in = 0, no_port = 0, errors = 0, out = 0;
    while (std::getline(table, line)) {
        std::istringstream fields(line);
        if (line.rfind("Udp: ", 0) == 0)
            fields >> name >> in >> no_port >> errors >> out; /* the first line has no numbers */
    }
    return came ? in : out;
}

void Far::narrow(unsigned mtu)
{
    const e2e::Finished done =
        e2e::run(at_server({"ip", "link", "set", "dev", "link", "mtu", std::to_string(mtu)}));
    INFO(done.err);
    REQUIRE(done.status == 0);
}

/* ---- the server ---- */

e2e::Command Far::at_server(const std::vector<std::string> &argv) const
{
    std::istringstream pid(e2e::read_file(dir_.file("link")));
    std::string number;
    e2e::Command c;
    pid >> number;
    c.argv = {linkem(), "--server", "--pid", number, "--"};
    c.argv.insert(c.argv.end(), argv.begin(), argv.end());
    return c;
}

void Far::start_server(int width, int height, const std::string &address)
{
    drop_server();
    display_ = free_display();
    server_ = std::make_unique<e2e::Process>(at_server(
        {"Xtigervnc", display_, "-rfbport", options_.accelerated ? BEHIND : PORT, "-interface",
         address, "-geometry", std::to_string(width) + "x" + std::to_string(height), "-depth", "24",
         "-SecurityTypes", "None", "-UseBlacklist=0", "-nolisten", "tcp", "-noreset", "-desktop",
         "far"}));
    bool up = wait_until(PATIENCE, [&] {
        return file_exists("/tmp/.X11-unix/X" + display_.substr(1)) || !server_->running();
    });
    INFO(server_->err());
    REQUIRE((up && server_->running()));
    screen_ = std::make_unique<e2e::XScreen>(display_);
}

/* At once: it would wait for a viewer that nothing comes from any more. */
void Far::end_accelerator()
{
    if (accelerator_)
        accelerator_->stop(e2e::milliseconds(0));
    accelerator_.reset();
}

void Far::start_accelerator()
{
    const char *program = getenv("VNCHL_ACCEL");
    REQUIRE(program);
    end_accelerator();
    std::vector<std::string> argv = {program,
                                     "--listen",
                                     std::string(FAR_ADDRESS) + ":" + PORT,
                                     "--server",
                                     std::string("127.0.0.1::") + BEHIND,
                                     "--state",
                                     dir_.file("state")};
    argv.insert(argv.end(), options_.accelerator.begin(), options_.accelerator.end());
    accelerator_ = std::make_unique<e2e::Process>(at_server(argv));
}

void Far::suspend_server()
{
    screen_.reset(); /* an X client waits for its server */
    server_->signal(SIGSTOP);
}

void Far::end_server(int signal)
{
    screen_.reset(); /* an X client dies with its server */
    server_->signal(signal);
    server_->wait(PATIENCE);
}

/* One that was killed leaves its files behind. */
void Far::drop_server()
{
    screen_.reset();
    server_.reset();
    if (display_.empty())
        return;
    unlink(("/tmp/.X11-unix/X" + display_.substr(1)).c_str());
    unlink(("/tmp/.X" + display_.substr(1) + "-lock").c_str());
    display_.clear();
}

void Far::disconnect()
{
    e2e::Command c;
    c.argv = {"vncconfig", "-display", display_, "-disconnect"};
    e2e::Finished f = e2e::run(c);
    INFO(f.err);
    REQUIRE(f.status == 0);
}

/* "sl local remote st tx_queue:rx_queue ...", in hexadecimal. */
bool Far::server_has_unread()
{
    std::ifstream table("/proc/" + std::to_string(server_->pid()) + "/net/tcp");
    std::string line;
    while (std::getline(table, line)) {
        std::istringstream fields(line);
        std::string number, local, remote, state, queues;
        fields >> number >> local >> remote >> state >> queues;
        if (state == "01" && local.find(":173E") != std::string::npos &&
            queues.find(":00000000") == std::string::npos)
            return true;
    }
    return false;
}

/* ---- the window ---- */

std::string Far::title()
{
    return desk.title(window);
}

bool Far::said(const std::string &text) const
{
    return link_->err().find(text) != std::string::npos;
}

bool Far::wait_said(const std::string &text)
{
    return wait_until(PATIENCE, [&] { return said(text) || !running(); }) && said(text);
}

bool Far::wait_title(const std::string &begin)
{
    bool seen = wait_until(PATIENCE, [&] { return !running() || title().rfind(begin, 0) == 0; });
    if (!seen)
        UNSCOPED_INFO("the title is '" << title() << "'");
    return seen && running();
}

bool Far::typing_until(const std::string &begin, bool begins)
{
    bool seen = wait_until(
        PATIENCE,
        [&] {
            desk.tap(XK_Shift_L);
            return !running() || (title().rfind(begin, 0) == 0) == begins;
        },
        e2e::milliseconds(500));
    return seen && running();
}

bool Far::wait_exact()
{
    bool same = wait_until(PATIENCE, [&] { return desk.capture(window) == screen_->capture(); });
    if (!same)
        UNSCOPED_INFO(title() << ": " << difference(desk.capture(window), screen_->capture()));
    return same;
}

void Far::close()
{
    desk.close_window(window);
    std::optional<int> status = link_->wait(PATIENCE);
    INFO(link_->err());
    REQUIRE(status);
    CHECK(*status == 0);
}

} // namespace lab
