/* Starts servers nobody here wrote, one function each. All listen on the loopback interface only.
 *
 * A server that is not installed gives NULL; with VNCHL_REQUIRE_SERVERS=1 in the environment that
 * is a failure instead, so that a CI machine cannot skip the suite without saying so. */
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "image.hpp"
#include "process.hpp"
#include "xscreen.hpp"

namespace e2e
{

/* Whether there is such a program; if not, the test is skipped, or fails as said above. */
bool installed(const std::string &program);

struct Server {
    virtual ~Server() = default;
    TempDir dir;
    std::string name;
    std::string address; /* for address_parse() and the command line */
    int port = 0;
    std::vector<std::unique_ptr<Process>> processes; /* in order of start */
    std::unique_ptr<XScreen> screen;                 /* X servers: our client on it; goes first */

    std::string display; /* ":12"; empty when it is no X server */
    void stop();
};

struct XvncOptions {
    int width = 516, height = 388;
    std::vector<std::string> more; /* further arguments */
    bool with_screen = true;       /* open the display, cover it with a window */
    std::string layout = {};       /* x11vnc: of the keyboard, from the beginning; empty: us */
};

std::unique_ptr<Server> start_tigervnc(const XvncOptions &options = {});
std::unique_ptr<Server> start_tightvnc(const XvncOptions &options = {});
/* Gives the keyboard of an X server this layout. */
void set_layout(const Server &server, const std::string &layout);
/* x11vnc on an Xvfb of its own; `more` goes to x11vnc. */
std::unique_ptr<Server> start_x11vnc(const XvncOptions &options = {});

/* A password file for -rfbauth; empty when no program can make one. */
std::string vnc_password_file(const Server &server, const std::string &password);
std::string vnc_password_file(const TempDir &dir, const std::string &password);

/* For start_tigervnc(): with this password. */
XvncOptions with_password(const TempDir &dir, const std::string &password);

/* A self-signed certificate for 127.0.0.1, ::1 and localhost in cert.pem, its key in key.pem.
 * `readable`: by other users too (a server that drops its rights). */
bool make_certificate(const TempDir &dir, bool readable = false);

/* For start_tigervnc(): with this certificate, and no password. */
XvncOptions with_certificate(const TempDir &dir);

/* A PC without an operating system: a boot sector paints a pattern that changes with every key,
 * and reports the key on a debug port. */
class Qemu : public Server
{
  public:
    /* What is on the screen, from the monitor; an empty image when that fails. */
    Image screendump();
    /* The boot sector has painted: mode 13h, which QEMU shows as 640x400. */
    bool painted();
    /* The characters the machine has read from its keyboard. */
    std::string keys() const;
    /* QEMU's own log of mouse buttons, and of how far the pointer moves. */
    std::string input_trace() const;
    bool monitor(const std::string &json, std::string *answer = nullptr);

  private:
    friend std::unique_ptr<Qemu> start_qemu(const std::vector<std::string> &, const std::string &);
    int qmp_ = -1;

  public:
    ~Qemu() override;
};

/* `vnc_options` is appended to -vnc's value (",password=on"). */
std::unique_ptr<Qemu> start_qemu(const std::vector<std::string> &more = {},
                                 const std::string &vnc_options = "");
/* The same, with its sound: the speaker plays 1000 Hz from the first key on. */
std::unique_ptr<Qemu> start_qemu_with_sound();

/* wayvnc on sway's headless output. The picture is sway's background image. */
class Wayland : public Server
{
  public:
    int width = 0, height = 0;
    bool background(const Image &image);
    /* The bound keys that were pressed: "x", "Return" and "F5" leave a mark. */
    bool key_seen(const std::string &name) const;

  private:
    int backgrounds_ = 0;
};

struct WayvncOptions {
    std::string user, password; /* with a user: X509Plain */
};
/* A user, with a password that is longer than VNC's. */
inline WayvncOptions with_user(const std::string &password = "a longer s3cret")
{
    return {"someone", password};
}
std::unique_ptr<Wayland> start_wayvnc(const WayvncOptions &options = {});

} // namespace e2e
