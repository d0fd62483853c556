/* How many round trips a picture takes, with real servers at the far end of a link: at first as
 * many as the handshake has questions, and the next time two, or three with a password; with TLS
 * one or two more. Behind vnchl-accel that pushes it is the same. They are counted by the clock on
 * a link with long round trips. What the programs take by themselves, which is much on a busy
 * machine, is measured on a short link in the same run, and is not counted.
 *
 * Exits with 77, "skipped", where the link emulator or a server is missing.
 */
#include <algorithm>
#include <cstdio>
#include <string>

#include "tests/e2e/process.hpp"
#include "tests/linkem/lab.hpp"
#include "tests/temp_dir.hpp"

namespace
{

using lab::check;

const int SKIPPED = 77;
const double LONG_S = 1.5, SHORT_S = 0.002; /* round trips */
const char *const BEHIND = "5951";          /* the port of a server with vnchl-accel before it */

struct Case {
    const char *name, *program;
    std::string command;         /* starts it as display $n, port 5950 */
    std::string environment;     /* of the viewer */
    double round_trips;          /* at most, when the server is known */
    std::string options = {};    /* of the viewer */
    const char *behind = "5950"; /* the server's port: BEHIND, or that to which viewers go */
};

/* The same viewer three times, with a memory of its own. */
std::string viewer(const Case &c)
{
    const bool pushed = c.behind == std::string(BEHIND);
    return "export XDG_STATE_HOME=$(mktemp -d)\n"
           "now() { cut -d' ' -f1 /proc/uptime; }\n"
           "see() { " +
           c.environment +
           " \"$VNCHL\" --headless --warm-up 0.01 --duration 0.01 "
           "--connect-timeout 60 " +
           c.options +
           " --json $XDG_STATE_HOME/report $LINKEM_SERVER::5950 >/dev/null || exit 1; " +
           (pushed ? "grep -q '\"pushed\":[[:space:]]*true' $XDG_STATE_HOME/report || exit 1; "
                   : "") +
           "}\n"
           "echo a=$(now); see; echo b=$(now); see; echo c=$(now); see; echo d=$(now)\n"
           "rm -r \"$XDG_STATE_HOME\"\n";
}

/* TigerVNC's server with this security type. */
std::string tigervnc(const std::string &type, const std::string &more = "",
                     const char *port = "5950")
{
    return "p=$(mktemp); echo s3cret | vncpasswd -f >$p; "
           "exec Xtigervnc :$n -geometry 400x300 -SecurityTypes " +
           type + " -rfbauth $p -rfbport " + port + " " + more + " >/dev/null 2>&1";
}

/* The same behind vnchl-accel, which pushes the picture. */
std::string pushed(const std::string &types, const TempDir &dir, const std::string &more = "")
{
    return "{ " + tigervnc(types, "-localhost", BEHIND) + "; } & exec " + getenv("VNCHL_ACCEL") +
           " --listen '*:5950' --server 127.0.0.1::" + BEHIND + " --state " + dir.path() + " " +
           more + " 2>/dev/null";
}

/* For the server's end of the link. */
bool make_certificate(const TempDir &dir)
{
    e2e::Command c;
    c.argv = {"openssl",  "req",
              "-x509",    "-newkey",
              "rsa:2048", "-nodes",
              "-days",    "2",
              "-subj",    "/CN=vnchl",
              "-addext",  "subjectAltName=IP:10.203.0.2",
              "-keyout",  dir.file("key.pem"),
              "-out",     dir.file("cert.pem")};
    return !e2e::find_program("openssl").empty() && e2e::run(c, e2e::PATIENCE).status == 0;
}

/* A user's password is asked of PAM, which finds a service there that takes each. */
std::string with_plain(const TempDir &dir, const std::string &keys)
{
    dir.write("pam.d/vnc", "auth required pam_permit.so\naccount required pam_permit.so\n");
    return "exec unshare --user --map-root-user --mount sh -c '"
           "mount --bind " +
           dir.file("pam.d") +
           " /etc/pam.d && exec Xtigervnc :$1 -geometry 400x300 -SecurityTypes X509Plain "
           "-PlainUsers \"*\" -pam_service vnc -rfbport 5950 " +
           keys + "' sh $n >/dev/null 2>&1";
}

/* Seconds that three pictures in a row take. */
struct Taken {
    double first, second, third;
};

Taken measure(const Case &c, double round_trip_s)
{
    /* a number that no other display has */
    const std::string server = "n=$((1000 + $$ % 30000)); " + std::string(c.command);
    auto r = lab::run({"--rtt", std::to_string(round_trip_s * 1000) + "ms", "--server-command",
                       server, "--wait-for", "5950", "--wait-for", c.behind},
                      viewer(c));
    check(r.status == 0, "the viewer failed: " + r.out + r.err);
    return {r.value("b") - r.value("a"), r.value("c") - r.value("b"), r.value("d") - r.value("c")};
}

void watch(const Case &c)
{
    if (e2e::find_program(c.program).empty()) {
        printf("%s: %s is not installed\n", c.name, c.program);
        return;
    }
    const Taken at_short = measure(c, SHORT_S), at_long = measure(c, LONG_S);
    const double themselves = std::min({at_short.first, at_short.second, at_short.third});
    const auto round_trips = [&](double seconds) { return (seconds - themselves) / LONG_S; };
    const double first = round_trips(at_long.first), second = round_trips(at_long.second),
                 third = round_trips(at_long.third);

    printf("%s: a picture after %.2f round trips, then %.2f and %.2f\n", c.name, first, second,
           third);
    check(first > c.round_trips + 2, "the first one was no slower");
    /* A round trip too many would come both times, what a busy machine takes once. */
    check(std::min(second, third) < c.round_trips + 0.6, "too many round trips");
}

} // namespace

int main()
{
    if (!lab::possible())
        return SKIPPED;
    TempDir dir;
    const std::string password = "VNC_PASSWORD=s3cret",
                      keys =
                          "-X509Cert " + dir.file("cert.pem") + " -X509Key " + dir.file("key.pem"),
                      trust = "--x509-ca " + dir.file("cert.pem");
    std::vector<Case> cases = {
        {"TigerVNC", "Xtigervnc", tigervnc("None"), "", 2},
        {"TigerVNC, VncAuth", "Xtigervnc", tigervnc("VncAuth"), password, 3},
        {"TigerVNC, TLSVnc", "Xtigervnc", tigervnc("TLSVnc"), password, 4},
        {"TightVNC", "Xtightvnc",
         "exec Xtightvnc :$n -geometry 400x300 -depth 24 -rfbport 5950 >/dev/null 2>&1", "", 2},
        {"x11vnc", "x11vnc",
         "Xvfb :$n -screen 0 400x300x24 -noreset >/dev/null 2>&1 & "
         "until [ -S /tmp/.X11-unix/X$n ]; do sleep 0.1; done; "
         "exec x11vnc -display :$n -forever -shared -nopw -rfbport 5950 >/dev/null 2>&1",
         "", 2},
    };
    const bool certified = make_certificate(dir);
    if (certified) {
        cases.push_back(
            {"TigerVNC, X509None", "Xtigervnc", tigervnc("X509None", keys), "", 3, trust});
        cases.push_back(
            {"TigerVNC, X509Vnc", "Xtigervnc", tigervnc("X509Vnc", keys), password, 4, trust});
        cases.push_back({"TigerVNC, X509Plain", "Xtigervnc", with_plain(dir, keys),
                         "VNC_USERNAME=somebody " + password, 3, trust});
    }
    if (getenv("VNCHL_ACCEL")) {
        cases.push_back({"pushed, None", "Xtigervnc", pushed("None", dir), "", 2, "", BEHIND});
        cases.push_back({"pushed, TLSVnc", "Xtigervnc", pushed("TLSVnc,VncAuth", dir), password, 4,
                         "", BEHIND});
        if (certified)
            cases.push_back({"pushed, X509None", "Xtigervnc",
                             pushed("TLSNone,None", dir,
                                    "--security x509 --certificate " + dir.file("cert.pem") +
                                        " --key " + dir.file("key.pem")),
                             "", 3, "--security-types X509None " + trust, BEHIND});
    }
    for (const Case &c : cases)
        watch(c);
    return lab::failures() != 0;
}
