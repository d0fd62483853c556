#include "rfb/datagrams/heard.h"

void heard_begin(struct heard *h)
{
    h->counts = true;
    h->bytes = 0;
}

void heard_add(struct heard *h, size_t size)
{
    h->bytes += (uint32_t)size;
}

size_t heard_skip(struct heard *h, size_t size)
{
    size_t skip = size < h->early ? size : h->early;

    h->early -= skip;
    return skip;
}

size_t heard_news(struct heard *h, const struct body_up *up, const uint8_t **news)
{
    uint32_t known = h->bytes - up->at;

    if (!h->counts || known >= up->size)
        return 0;
    *news = up->said + known;
    h->early += up->size - known;
    return up->size - known;
}
