#include "viewer/status_line.h"

#include <math.h>
#include <stdio.h>

#include "rfb/proto/encodings.h"

/* A round trip that differs by less than this is the same. */
#define RTT_FACTOR 1.5
#define RTT_MS     10

static bool is_news(const struct session_stats *said, const struct session_stats *now)
{
    double difference = fabs(now->rtt_ms - said->rtt_ms);

    return now->encodings_seen != said->encodings_seen || now->blocks != said->blocks ||
           now->datagrams != said->datagrams || now->quality != said->quality ||
           now->compress != said->compress ||
           (difference > RTT_MS && difference > (RTT_FACTOR - 1) * said->rtt_ms);
}

static void put_encodings(uint32_t seen, char *out, size_t size)
{
    size_t used = 0;

    for (int row = 0; row < ENCODINGS_MAX; row++)
        if (seen >> row & 1 && used < size)
            used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "",
                                     encoding_name(encoding_number(row)));
}

bool status_line(const struct session_stats *said, const struct session_stats *now, char *out,
                 size_t size)
{
    char encodings[80] = "", rtt[40] = "round trip not known";

    if (!(now->encodings_seen || now->blocks) || !is_news(said, now))
        return false;
    put_encodings(now->encodings_seen, encodings, sizeof encodings);
    if (now->rtt_ms > 0)
        snprintf(rtt, sizeof rtt, "round trip %.*f ms", now->rtt_ms < 10 ? 1 : 0, now->rtt_ms);
    if (now->blocks)
        snprintf(out, size, "%s; the far end pushes blocks%s", rtt,
                 now->datagrams ? ", as datagrams, too" : "");
    else
        snprintf(out, size, "%s; encodings: %s; JPEG level %d, compression %d", rtt, encodings,
                 now->quality, now->compress);
    return true;
}
