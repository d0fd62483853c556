/* A link that takes nothing any more, with the kernel's own TCP: the sender sleeps until its socket
 * has room, and requests leave again when the link works again.
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

/* A request every millisecond. Counts how often the thread "sender" has slept: while the link
 * works, while the uplink loses all, and when it works again. TCP tries again after pauses that
 * double, so the last of these is awaited. */
const char *const command = R"sh(
"$VNCHL" --headless --prp 1 $LINKEM_SERVER::5950 >/dev/null 2>&1 &
viewer=$!
until [ "$sender" ]; do
    sleep 0.1
    session=$(tr -d ' ' </proc/$viewer/task/$viewer/children) # the viewer's only child
    for task in /proc/$session/task/*; do
        [ "$(cat $task/comm)" = sender ] && sender=$task
    done
done
slept() { sed -n 's/^voluntary_ctxt_switches:[^0-9]*//p' $sender/status; }
now() { cut -d' ' -f1 /proc/uptime; }
sleep 1
a=$(slept) at_a=$(now)
sleep 1
b=$(slept) at_b=$(now)
echo up-loss=100% >$CONTROL
tries=0
while # until its socket is full
    c=$(slept)
    sleep 1
    d=$(slept)
    tries=$((tries + 1))
    [ $((2 * (d - c))) -ge $((b - a)) ] && [ $tries -lt 60 ]
do
    :
done
c=$(slept) at_c=$(now)
sleep 2
d=$(slept) at_d=$(now)
echo up-loss=0% >$CONTROL
while
    e=$(slept) at_e=$(now)
    sleep 1
    f=$(slept) at_f=$(now)
    [ $((2 * (f - e))) -lt $((b - a)) ]
do
    :
done
for point in a b c d e f; do
    eval echo $point=\$$point at_$point=\$at_$point
done
kill -INT $viewer
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
    TempDir dir;
    std::string control = dir.file("control");
    lab::check(mkfifo(control.c_str(), 0600) == 0, "no FIFO");
    auto r = lab::run({"--rtt", "20ms", "--control", control, "--server-command",
                       "exec \"$VNCHL_DEMO_SERVER\" --listen $LINKEM_SERVER --port 5950",
                       "--wait-for", "5950"},
                      "CONTROL=" + control + command);

    lab::check(r.status == 0, "the run failed, or requests did not go on: " + r.out + r.err);
    double works = rate(r, "a", "b"), stalled = rate(r, "c", "d"), again = rate(r, "e", "f");
    printf("the sender slept %.0f times a second, %.0f while nothing could leave, then %.0f\n",
           works, stalled, again);
    lab::check(r.value("status") == 0, "the session did not go on");
    lab::check(stalled <= 200, "it woke up too often");
    lab::check(stalled < works / 2, "the link did not stall");
    return lab::failures() != 0;
}
