/* The ticket of a far end that is kept: a viewer that comes again sees the picture before its
 * connection stands.
 */
#include "hello.hpp"
#include "kept.hpp"
#include "tests/e2e/breaking.hpp"
#include "tests/e2e/shown_viewer.hpp"

using namespace e2e;
using namespace accelerator;

namespace
{

/* In front of our ssh: while there is this file, ssh does not begin. */
class HeldSsh
{
  public:
    explicit HeldSsh(const Gateway &gateway) : before_(getenv("PATH"))
    {
        write_file(dir_.file("ssh"),
                   "#!/bin/sh\ntouch " + dir_.file("begun") + "\nwhile [ -e " + dir_.file("held") +
                       " ]; do sleep 0.02; done\nexec " + gateway.path() + "/ssh \"$@\"\n",
                   0755);
        setenv("PATH", (dir_.path() + ":" + before_).c_str(), 1);
    }
    ~HeldSsh()
    {
        release();
        setenv("PATH", before_.c_str(), 1);
    }
    void hold()
    {
        std::filesystem::remove(dir_.file("begun"));
        write_file(dir_.file("held"), "");
    }
    void release()
    {
        std::filesystem::remove(dir_.file("held"));
    }
    /* Somebody has started it since it is held. */
    bool await_begun() const
    {
        return wait_until(PATIENCE, [&] { return std::filesystem::exists(dir_.file("begun")); });
    }

  private:
    TempDir dir_;
    std::string before_;
};

/* How often it has connected again. */
size_t connected(ShownViewer &window)
{
    const std::string all = window.process().err(), line = "connected again";
    size_t count = 0;
    for (size_t at = 0; (at = all.find(line, at)) != std::string::npos; at++)
        count++;
    return count;
}

} // namespace

TEST_CASE("ticket: where the far end has gone, a window connects as ever", "[kept]")
{
    auto server = start_tigervnc({400, 300, {}, true});
    Runtime runtime;
    FarMachine far("export XDG_RUNTIME_DIR=" + runtime.path());
    if (!server || !far.gateway)
        return;
    HeldSsh ssh(*far.gateway);
    server->screen->fill(0x6080c0);
    Desk desk;
    ShownViewer window(
        desk, *server,
        {"--encodings", ENCODINGS_DEFAULT, "--ssh", far.name(), "--keep", "1h", "--verbose"});
    CHECK(window.wait_shows(server->screen->capture()));
    Kept kept(far.pid());
    ssh.hold();
    kill(kept.keeper, SIGTERM);
    CHECK(kept.gone());
    CHECK(ssh.await_begun()); /* it connects again, and has a ticket that nobody takes */
    server->screen->fill(0xc08060);
    ssh.release();
    CHECK(window.wait_shows(server->screen->capture()));
    INFO(window.process().err());
    CHECK(window.process().err().find("before the connection") == std::string::npos);
    CHECK(far.log().find("event=resumed") == std::string::npos);
    window.process().signal(SIGTERM);
    CHECK(window.process().wait(PATIENCE) == 0);
}

TEST_CASE("ticket: a window shows the picture of a kept far end while ssh has not even begun",
          "[kept]")
{
    auto server = start_tigervnc({400, 300, {}, true});
    Runtime runtime;
    FarMachine far("export XDG_RUNTIME_DIR=" + runtime.path());
    if (!server || !far.gateway)
        return;
    const std::string policy = GENERATE("auto", "octopus");
    far.install("echo $$ > " + far.dir.file("home/pid") + "\nexec " + far.dir.file("real") +
                " \"$@\" --push-policy " + policy);
    INFO(policy);
    HeldSsh ssh(*far.gateway);
    server->screen->fill(0x6080c0);
    Desk desk;
    ShownViewer window(
        desk, *server,
        {"--encodings", ENCODINGS_DEFAULT, "--ssh", far.name(), "--keep", "1h", "--verbose"});
    CHECK(window.wait_shows(server->screen->capture()));
    const uint32_t colours[] = {0xc08060, 0x60c080};
    size_t visit = 0;
    for (uint32_t colour : colours) { /* each visit gets a ticket for the next one */
        ssh.hold();
        kill(ssh_of(window.process().pid()), SIGKILL);
        CHECK(is_gone(far.pid()));
        server->screen->fill(colour);
        CHECK(ssh.await_begun());
        CHECK(wait_dim(desk, window.window(), colour)); /* it is seen, and takes no input */
        server->screen->fill(0x20c0f0);
        CHECK(wait_dim(desk, window.window(), 0x20c0f0)); /* it is live */
        CHECK(connected(window) == visit);
        ssh.release();
        INFO(window.process().err());
        CHECK(window.wait_shows(server->screen->capture()));
        visit++;
        CHECK(wait_until(PATIENCE, [&] { return connected(window) == visit; }));
    }
    window.process().signal(SIGTERM);
    CHECK(window.process().wait(PATIENCE) == 0);
    CHECK(runtime.await_files(0));
}
