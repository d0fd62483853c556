/* A link that takes nothing any more, with the kernel's own TCP: the sender sleeps until its socket
 * has room, and requests leave again when the link works again.
 *
 * Exits with 77, "skipped", where the link emulator cannot run.
 */
#include <cstdio>

#include "tests/linkem/lab.hpp"

namespace
{

const int SKIPPED = 77;

/* A request every millisecond. The uplink loses all from 4 s to 9 s. Counts how often the thread
 * "sender" has slept, before that and in the middle of it. */
const char *const command = R"sh(
"$VNCHL" --headless --prp 1 --duration 13 $LINKEM_SERVER::5950 >/dev/null 2>&1 &
viewer=$!
sleep 1.5
session=$(tr -d ' ' </proc/$viewer/task/$viewer/children) # the viewer's only child
for task in /proc/$session/task/*; do
    [ "$(cat $task/comm)" = sender ] && sender=$task
done
slept() { sed -n 's/^voluntary_ctxt_switches:[^0-9]*//p' $sender/status; }
now() { cut -d' ' -f1 /proc/uptime; }
echo "a=$(slept) at_a=$(now)"
sleep 1
echo "b=$(slept) at_b=$(now)"
sleep 3
echo "c=$(slept) at_c=$(now)"
sleep 2
echo "d=$(slept) at_d=$(now)"
sleep 4
echo "e=$(slept) at_e=$(now)"
wait $viewer
echo "status=$?"
)sh";

double rate(const lab::Result &r, const std::string &from, const std::string &to)
{
    return (r.value(to) - r.value(from)) / (r.value("at_" + to) - r.value("at_" + from));
}

} // namespace

int main()
{
    if (!lab::possible())
        return SKIPPED;
    auto r = lab::run(
        {"--rtt", "20ms", "--at", "4s:up-loss=100%", "--at", "9s:up-loss=0%", "--server-command",
         "exec \"$VNCHL_DEMO_SERVER\" --listen $LINKEM_SERVER --port 5950", "--wait-for", "5950"},
        command);

    lab::check(r.status == 0, "the run failed: " + r.out + r.err);
    double works = rate(r, "a", "b"), stalled = rate(r, "c", "d"), again = rate(r, "d", "e");
    printf("the sender slept %.0f times a second, %.0f while nothing could leave, then %.0f\n",
           works, stalled, again);
    lab::check(r.value("status") == 0, "the session did not go on");
    lab::check(stalled <= 200, "it woke up too often");
    lab::check(stalled < works / 2, "the link did not stall");
    lab::check(again > 2 * stalled, "requests did not go on");
    return lab::failures() != 0;
}
