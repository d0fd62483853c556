#include "rfb/net/transport.h"

#include <errno.h>

bool transport_share(struct transport *t, struct transport_shared *out)
{
    errno = EOPNOTSUPP;
    return t->ops->share && t->ops->share(t, out);
}

bool transport_explain(struct transport *t, struct reason *why)
{
    return t->ops->explain && t->ops->explain(t, why);
}

bool transport_key(const struct transport *t, uint8_t sha256[FINGERPRINT_BYTES])
{
    return t->ops->key && t->ops->key(t, sha256);
}
