#include "viewer/desktop/connection/last_picture.h"

#include <string.h>

#include "rfb/proto/handshake/security.h"

static const struct security *last_picture_way(const struct session_stats *s)
{
    return security_find(SECURITY_ALL, s->memory.security, s->memory.subtype);
}

static bool last_picture_channel_holds(const struct session_stats *before,
                                       enum security_channel was, const struct session_stats *now,
                                       enum security_channel is)
{
    if (was < CHANNEL_KEY)
        return is >= was;
    return is >= was && before->fingerprinted && now->fingerprinted &&
           memcmp(before->sha256, now->sha256, sizeof before->sha256) == 0;
}

bool last_picture_is_proved(const struct session_stats *s, const struct address *a,
                            const struct route *route)
{
    const struct security *way = last_picture_way(s);
    bool straight = !*route->gateway.host && !*route->repeater.host && !*route->repeater.path;
    bool ssh = route->gateway.far_end && !*route->gateway.command;

    if (!way || route->listen || *route->play)
        return false;
    return ssh || (straight && *a->path) || (way->channel >= CHANNEL_KEY && s->fingerprinted);
}

bool last_picture_helps(const struct session_stats *before, const struct session_stats *now)
{
    const struct security *was = last_picture_way(before), *is = last_picture_way(now);

    return was && is && before->pushed && before->accelerated && before->width == now->width &&
           before->height == now->height && (was->proof == PROOF_NONE || was->proof == is->proof) &&
           last_picture_channel_holds(before, was->channel, now, is->channel);
}
