#include "viewer/desktop/display/drawing/covers.h"

_Static_assert(UI_COVERS == 4, "each cover makes four pieces of one: COVERS_PIECES");

void covers_drop(struct covers *c)
{
    for (int i = 0; i < UI_COVERS; i++)
        SDL_FreeSurface(c->kept[i]);
    *c = (struct covers){.count = 0};
}

void covers_keep(struct covers *c, const struct ui *ui, SDL_Surface *from)
{
    covers_drop(c);
    c->shine_through = !ui_covers(ui, c->at, &c->count);
    for (int i = 0; i < c->count; i++) {
        SDL_Rect at = {c->at[i].x, c->at[i].y, c->at[i].w, c->at[i].h};

        c->kept[i] = SDL_CreateRGBSurfaceWithFormat(0, at.w, at.h, 32, from->format->format);
        if (c->kept[i])
            SDL_BlitSurface(from, &at, c->kept[i], NULL);
        else
            c->shine_through = true; /* drawn each time */
    }
}

void covers_restore(const struct covers *c, SDL_Surface *to)
{
    for (int i = 0; i < c->count; i++) {
        SDL_Rect at = {c->at[i].x, c->at[i].y, c->at[i].w, c->at[i].h};

        SDL_BlitSurface(c->kept[i], NULL, to, &at);
    }
}

static int covers_add(struct rect r, struct rect *out, int count)
{
    if (r.w <= 0 || r.h <= 0)
        return count;
    out[count] = r;
    return count + 1;
}

/* What is left of `a` without `b`: above, below, left and right of it. Returns how many. */
static int covers_without(struct rect a, struct rect b, struct rect out[4])
{
    const struct rect both = rect_intersect(a, b);
    const int right = both.x + both.w, bottom = both.y + both.h;
    int n = 0;

    if (both.w <= 0 || both.h <= 0)
        return covers_add(a, out, 0);
    n = covers_add((struct rect){a.x, a.y, a.w, both.y - a.y}, out, n);
    n = covers_add((struct rect){a.x, bottom, a.w, a.y + a.h - bottom}, out, n);
    n = covers_add((struct rect){a.x, both.y, both.x - a.x, both.h}, out, n);
    return covers_add((struct rect){right, both.y, a.x + a.w - right, both.h}, out, n);
}

int covers_leave(const struct covers *c, struct rect part, struct rect out[COVERS_PIECES])
{
    int count = covers_add(part, out, 0);

    for (int i = 0; i < c->count; i++) {
        struct rect next[COVERS_PIECES];
        int left = 0;

        for (int k = 0; k < count; k++)
            left += covers_without(out[k], c->at[i], next + left);
        for (int k = 0; k < left; k++)
            out[k] = next[k];
        count = left;
    }
    return count;
}
