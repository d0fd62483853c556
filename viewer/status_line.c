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
           now->datagrams != said->datagrams || now->film != said->film ||
           now->quality != said->quality || now->compress != said->compress ||
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

/* What moves goes as a film. An old far end does not say how good it is. */
static void put_film(const struct session_stats *now, char *out, size_t size)
{
    if (now->film && now->pushing.film_qp > 0)
        snprintf(out, size, "; film, QP %u", now->pushing.film_qp);
    else if (now->film)
        snprintf(out, size, "; film");
}

bool status_line(const struct session_stats *said, const struct session_stats *now, char *out,
                 size_t size)
{
    char encodings[80] = "", rtt[40] = "round trip not known", film[32] = "";

    if (!(now->encodings_seen || now->blocks) || !is_news(said, now))
        return false;
    put_encodings(now->encodings_seen, encodings, sizeof encodings);
    if (now->rtt_ms > 0)
        snprintf(rtt, sizeof rtt, "round trip %.*f ms", now->rtt_ms < 10 ? 1 : 0, now->rtt_ms);
    put_film(now, film, sizeof film);
    if (now->blocks)
        snprintf(out, size, "%s; the far end pushes blocks%s%s", rtt,
                 now->datagrams ? ", as datagrams, too" : "", film);
    else
        snprintf(out, size, "%s; encodings: %s; JPEG level %d, compression %d", rtt, encodings,
                 now->quality, now->compress);
    return true;
}
