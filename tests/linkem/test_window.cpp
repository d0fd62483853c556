/* `--window auto` with the kernel's own TCP: on a client whose tuning may not reach what the path
 * needs, more arrives than that tuning could ever let through.
 *
 * Exits with 77, "skipped", where the link emulator cannot run or its hosts cannot be configured.
 */
#include <cstdio>
#include <cstdlib>

#include "tests/linkem/lab.hpp"

namespace
{

using lab::check;

const int SKIPPED = 77;
const double ROUND_TRIP_S = 0.3, BUFFER = 65536; // of the whole receive buffer, overhead and all

struct Run {
    double window, received, most; // bytes; `most`: one buffer's worth in each round trip
};

// A film without compression needs megabytes a second, at this end of a link without a rate.
Run watch(const std::string &window, int seconds)
{
    const std::string server = "exec \"$VNCHL_DEMO_SERVER\" --listen $LINKEM_SERVER --port 5950";
    const std::string client =
        "f=/proc/sys/net/ipv4/tcp_rmem; [ -w $f ] || exit " + std::to_string(SKIPPED) +
        "\necho 4096 16384 65536 > $f\n"
        "exec \"$VNCHL\" --headless --prp 40 --encodings raw "
        "--json - --duration " +
        std::to_string(seconds) + " --window " + window + " $LINKEM_SERVER::5950";
    auto r = lab::run({"--rtt", "300ms", "--server-command", server, "--wait-for", "5950"}, client);
    auto field = [&r](const cJSON *j, const char *key) {
        const cJSON *item = cJSON_GetObjectItemCaseSensitive(j, key);
        check(cJSON_IsNumber(item), std::string("no '") + key + "' in: " + r.out + r.err);
        return cJSON_IsNumber(item) ? item->valuedouble : 0;
    };

    if (r.status == SKIPPED)
        exit(SKIPPED);
    check(r.status == 0, "the viewer failed: " + r.out + r.err);
    // the demo server's first line comes before it
    size_t begin = r.out.find('{');
    cJSON *j = cJSON_Parse(begin == std::string::npos ? "" : r.out.c_str() + begin);
    Run run = {field(j, "window_bytes"), field(j, "bytes_received"),
               (field(j, "duration_s") / ROUND_TRIP_S + 1) * BUFFER};
    cJSON_Delete(j);
    printf("%s: window %.0f, received %.0f, a full buffer each round trip: %.0f\n", window.c_str(),
           run.window, run.received, run.most);
    return run;
}

} // namespace

int main()
{
    if (!lab::possible())
        return SKIPPED;
    Run small = watch("32k", 8);
    check(small.window == BUFFER / 2, "the fixed window was changed");
    check(small.received <= small.most, "more than the buffer allows");
    // A busy machine may need longer. Without a larger window no time would do.
    Run fitted = watch("auto", 8);
    for (int seconds = 16; fitted.received <= fitted.most && seconds <= 64; seconds *= 2)
        fitted = watch("auto", seconds);
    check(fitted.window > BUFFER / 2, "the window was not raised");
    check(fitted.received > fitted.most, "no more than the kernel's own tuning allows");
    return lab::failures() != 0;
}
