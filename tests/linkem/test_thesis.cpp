/* `--requests thesis` with the kernel's own TCP: on an uplink that loses all, requests go on and
 * pile up in the viewer's socket, where others wait until it has room.
 *
 * Exits with 77, "skipped", where the link emulator cannot run.
 */
#include <sys/stat.h>

#include <cstdio>

#include "tests/linkem/lab.hpp"
#include "tests/temp_dir.hpp"

namespace
{

const int SKIPPED = 77;

/* A request every 5 ms. The log has a row a second; the newest may be shorter. */
const char *const command = R"sh(
"$VNCHL" --headless --prp 5 --requests $REQUESTS --log $LOG $LINKEM_SERVER::5950 >/dev/null 2>&1 &
viewer=$!
rows() { sed -n '$=' $LOG 2>/dev/null; }
until [ "$(rows)" ] && [ "$(rows)" -ge 2 ]; do # a header and a row: updates come
    sleep 0.1
done
echo up-loss=100% >$CONTROL
sleep 4
kill -INT $viewer
wait $viewer
echo "status=$?"
awk -F, 'NR > 1 { row = last; last = $7; skipped += $10 }
         END { print "timer=" row, "skipped=" skipped }' $LOG
)sh";

/* How many requests left by the timer in a second without an uplink, and how often one waited. */
struct Run {
    double timer, skipped;
};

Run run(const std::string &requests)
{
    TempDir dir;
    const std::string control = dir.file("control");
    lab::check(mkfifo(control.c_str(), 0600) == 0, "no FIFO");
    auto r = lab::run(
        {"--rtt", "20ms", "--control", control, "--server-command",
         "exec \"$VNCHL_DEMO_SERVER\" --listen $LINKEM_SERVER --port 5950", "--wait-for", "5950"},
        "CONTROL=" + control + " LOG=" + dir.file("log.csv") + " REQUESTS=" + requests + command);
    lab::check(r.status == 0 && r.value("status") == 0, "the run failed: " + r.out + r.err);
    Run got = {r.value("timer"), r.value("skipped")};
    printf("%s: %.0f requests a second, %.0f times one waited\n", requests.c_str(), got.timer,
           got.skipped);
    return got;
}

} // namespace

int main()
{
    if (!lab::possible())
        return SKIPPED;
    Run guarded = run("guarded"), thesis = run("thesis");
    lab::check(guarded.skipped > 0, "the socket was never full");
    lab::check(guarded.timer <= 50, "requests left through a full socket");
    lab::check(thesis.skipped == 0, "a request has waited");
    lab::check(thesis.timer >= 100, "requests did not go on");
    return lab::failures() != 0;
}
