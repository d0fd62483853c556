/* A block of a smaller picture (shrink.c, which alone includes this, once for each kind of vector).
 * To be defined before: SHRINK_ROWS, how many rows of the small picture are made at a time, which
 * beside each other fill a vector; SHRINK_TARGET, for which processor; SHRINK(), which makes the
 * names.
 */
#define SHRINK_LANES  (SHRINK_ROWS * 4)
#define SHRINK_INLINE static inline SHRINK_TARGET __attribute__((always_inline))

/* Some pixels, or one of each row: a number for each channel. */
typedef uint8_t SHRINK(shrink_bytes) __attribute__((vector_size(SHRINK_LANES)));
typedef uint16_t SHRINK(shrink_words) __attribute__((vector_size(2 * SHRINK_LANES)));

/* Some pixels of the mean of `count` rows, beside those of other rows. `size`: bytes that the rows
 * have here. */
SHRINK_INLINE void SHRINK(shrink_mean_of_rows)(const uint8_t *row, size_t pitch,
                                               const uint16_t *weights, int count, size_t size,
                                               uint16_t *restrict out)
{
    SHRINK(shrink_words) sum = {0};

    sum += SHRINK_ONE / 2; /* rounds */
    for (int p = 0; p < count; p++, row += pitch) {
        SHRINK(shrink_bytes) b = {0};

        memcpy(&b, row, size);
        sum += __builtin_convertvector(b, SHRINK(shrink_words)) * weights[p];
    }
    sum >>= 8;
    for (size_t i = 0; i < size / 4; i++)
        memcpy(out + i * SHRINK_LANES, (const uint16_t *)&sum + i * 4, 4 * sizeof *out);
}

/* The `count` rows become one: `width` pixels. */
SHRINK_INLINE void SHRINK(shrink_rows)(const uint8_t *row, size_t pitch, const uint16_t *weights,
                                       int count, int width, uint16_t *restrict out)
{
    const size_t bytes = (size_t)width * 4, whole = bytes / SHRINK_LANES * SHRINK_LANES;

    for (size_t i = 0; i < whole; i += SHRINK_LANES)
        SHRINK(shrink_mean_of_rows)
    (row + i, pitch, weights, count, SHRINK_LANES, out + i * SHRINK_ROWS);
    if (whole < bytes)
        SHRINK(shrink_mean_of_rows)
    (row + whole, pitch, weights, count, bytes - whole, out + whole * SHRINK_ROWS);
}

/* The same; two and three rows are what most pictures need. */
SHRINK_INLINE void SHRINK(shrink_rows_of)(const struct shrink *s, const uint32_t *from, int stride,
                                          int y, int width, uint16_t *out)
{
    const struct shrink_side *side = &s->y;
    const uint8_t *row = (const uint8_t *)(from + (size_t)side->source[y] * (size_t)stride);
    const uint16_t *weights = side->weights + side->first[y];
    const int count = side->first[y + 1] - side->first[y];
    const size_t pitch = (size_t)stride * 4;

    if (count == 2)
        SHRINK(shrink_rows)(row, pitch, weights, 2, width, out);
    else if (count == 3)
        SHRINK(shrink_rows)(row, pitch, weights, 3, width, out);
    else
        SHRINK(shrink_rows)(row, pitch, weights, count, width, out);
}

/* A pixel of all rows at a time. The sums fit: the weights add up to 256. */
SHRINK_INLINE void SHRINK(shrink_columns)(const struct shrink *s, uint32_t *restrict to,
                                          int to_stride, int x, int end, int rows, unsigned light)
{
    const struct shrink_side *side = &s->x;
    const uint16_t *column = s->rows, *weights = side->weights;
    const int *source = side->source, *first = side->first;

    for (int begin = source[x]; x < end; x++) {
        const uint16_t *p = column + (size_t)(source[x] - begin) * SHRINK_LANES;
        SHRINK(shrink_words) sum = {0};
        SHRINK(shrink_bytes) done;

        sum += SHRINK_ONE / 2; /* rounds */
        for (int i = first[x]; i < first[x + 1]; i++, p += SHRINK_LANES) {
            SHRINK(shrink_words) pixels;

            memcpy(&pixels, p, sizeof pixels);
            sum += pixels * weights[i];
        }
        sum >>= 8;
        if (light < SHRINK_ONE)
            sum = sum * (uint16_t)light >> 8;
        done = __builtin_convertvector(sum, SHRINK(shrink_bytes));
#pragma GCC unroll 4
        for (int k = 0; k < rows; k++)
            memcpy(to + (size_t)k * (size_t)to_stride + x, (const uint8_t *)&done + k * 4, 4);
    }
}

/* Some rows, not more columns than SHRINK_COLUMNS of the large picture. */
SHRINK_TARGET static void SHRINK(shrink_block)(const struct shrink *s, const uint32_t *from,
                                               int from_stride, uint32_t *to, int to_stride,
                                               struct rect part, unsigned light)
{
    const struct shrink_side *side = &s->x;
    const int last = part.x + part.w - 1, begin = side->source[part.x];
    const int width = side->source[last] + side->first[last + 1] - side->first[last] - begin;

    for (int k = 0; k < part.h; k++)
        SHRINK(shrink_rows_of)(s, from + begin, from_stride, part.y + k, width, s->rows + k * 4);
    to += (size_t)part.y * (size_t)to_stride;
    if (part.h == SHRINK_ROWS && light == SHRINK_ONE) /* nearly always: the compiler knows both */
        SHRINK(shrink_columns)(s, to, to_stride, part.x, last + 1, SHRINK_ROWS, SHRINK_ONE);
    else
        SHRINK(shrink_columns)(s, to, to_stride, part.x, last + 1, part.h, light);
}

#undef SHRINK_ROWS
#undef SHRINK_LANES
#undef SHRINK_TARGET
#undef SHRINK_INLINE
#undef SHRINK
