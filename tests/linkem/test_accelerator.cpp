/* A client of the accelerator whose link is cut while bytes are on their way to it: it is left
 * after a minute, and not only when the kernel gives up.
 *
 * Exits with 77, "skipped", where the link emulator cannot run.
 */
#include <sys/stat.h>

#include <cstdio>
#include <string>

#include "tests/linkem/lab.hpp"

namespace
{

const int SKIPPED = 77;

/* The accelerator is at the server's end, and writes what it logs to $TMPDIR/log. */
const char *const server = R"sh(
"$VNCHL_DEMO_SERVER" --listen 127.0.0.1 --port 5951 &
exec "$VNCHL_ACCEL" --listen $LINKEM_SERVER:5950 --server 127.0.0.1::5951 2>"$LAB_LOG"
)sh";

/* The link is cut while pictures are on their way. The kernel would go on for a quarter of an hour.
 */
const char *const client = R"sh(
"$VNCHL" --headless --duration 1000 $LINKEM_SERVER::5950 >/dev/null 2>&1 &
viewer=$!
until grep -q -e event=pushed -e event=session "$LAB_LOG"; do
    sleep 0.1
done
sleep 1
echo loss=100% >"$LAB_CONTROL"
for i in $(seq 1000); do
    grep -q event=end "$LAB_LOG" && break
    sleep 0.1
done
kill $viewer
grep event=end "$LAB_LOG"
)sh";

} // namespace

int main()
{
    if (!lab::possible())
        return SKIPPED;
    TempDir dir;
    setenv("LAB_LOG", dir.file("log").c_str(), 1);
    setenv("LAB_CONTROL", dir.file("control").c_str(), 1);
    lab::check(mkfifo(dir.file("control").c_str(), 0600) == 0, "no FIFO");
    setenv("HOME", dir.path().c_str(), 1); /* nothing is known of this server */
    for (const char *other : {"XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"})
        unsetenv(other);
    auto r = lab::run({"--rtt", "100ms", "--control", dir.file("control"), "--server-command",
                       server, "--wait-for", "5950"},
                      client, 2 * e2e::PATIENCE);

    printf("%s\n", r.out.c_str());
    lab::check(r.out.find("why=\"the client has not answered for a minute\"") != std::string::npos,
               "the client was not left: " + r.out + r.err);
    return lab::failures() != 0;
}
