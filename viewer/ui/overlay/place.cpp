#include "place.hpp"

#include <algorithm>
#include <cmath>

namespace kit
{

namespace
{

const double FAR = 1e9;

bool is_empty(const struct rect &r)
{
    return r.w < 1 || r.h < 1;
}

/* Between two rectangles; FAR where one is empty, 0 where they meet. */
double distance(const struct rect &a, const struct rect &b)
{
    if (is_empty(a) || is_empty(b))
        return FAR;
    const int x = std::max({a.x - (b.x + b.w), b.x - (a.x + a.w), 0}),
              y = std::max({a.y - (b.y + b.h), b.y - (a.y + a.h), 0});

    return std::hypot(x, y);
}

/* How far it is from where the person works. */
double freedom(const struct rect &at, const struct Around &a)
{
    return std::min(distance(at, a.pointer), distance(at, a.change));
}

/* In the middle of the strip below the picture, above, right or left of it. */
bool beside_picture(int w, int h, int gap, const struct Around &a, struct rect *out)
{
    const struct rect &p = a.picture;
    const struct rect strips[] = {{0, p.y + p.h, a.width, a.height - p.y - p.h},
                                  {0, 0, a.width, p.y},
                                  {p.x + p.w, 0, a.width - p.x - p.w, a.height},
                                  {0, 0, p.x, a.height}};

    for (const struct rect &s : strips) {
        *out = {s.x + (s.w - w) / 2, s.y + (s.h - h) / 2, w, h};
        if (w + 2 * gap <= s.w && h <= s.h && distance(*out, a.taken) > 0)
            return true;
    }
    return false;
}

} // namespace

struct rect notice_place(int w, int h, int gap, const struct Around &a, const struct rect &before)
{
    const int right = a.width - gap - w, bottom = a.height - gap - h;
    const struct rect corners[] = {
        {right, bottom, w, h}, {gap, bottom, w, h}, {right, gap, w, h}, {gap, gap, w, h}};
    struct rect best = corners[0];
    double most = -1;

    if (!is_empty(a.picture) && beside_picture(w, h, gap, a, &best))
        return best;
    for (const struct rect &c : corners) {
        /* menus and tabs are at the top: a corner there has to be clearly better */
        const double dear = c.y == bottom ? 0 : 4.0 * h,
                     free = distance(c, a.taken) > 0 ? std::max(freedom(c, a) - dear, 0.0) : -1;
        const bool stays = c.x == before.x && c.y == before.y && before.w == w && before.h == h;

        if (stays && free > 2.0 * h)
            return c;
        if (free > most) {
            most = free;
            best = c;
        }
    }
    return best;
}

} // namespace kit
