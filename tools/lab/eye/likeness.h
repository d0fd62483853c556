/* How like a drawn picture a shown one is: PSNR and SSIM.
 *
 * PSNR is over all three colours: 10 log10(255^2 / mean squared difference), in dB.
 *
 * SSIM is that of Z. Wang, A. C. Bovik, H. R. Sheikh and E. P. Simoncelli, "Image quality
 * assessment: from error visibility to structural similarity", IEEE Transactions on Image
 * Processing 13(4), 2004, equation 13 with K1 = 0.01 and K2 = 0.03, on the luma that JPEG has, 0 to
 * 255. Its windows are 8 x 8 pixels, all weighted alike, four pixels apart, as in x264; the paper's
 * own windows are 11 x 11 and weighted. The result is the mean over all windows.
 *
 * Pure: no clock, no allocation.
 */
#ifndef VNCHL_LIKENESS_H
#define VNCHL_LIKENESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/region.h"
#include "tools/marks/mark.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LIKENESS_WIDTH_MAX 4096

/* What an exact picture has, whose PSNR would be infinite, and the most that others are said to
 * have: one that is not exact never looks so. */
#define LIKENESS_PSNR_EXACT 100.0
#define LIKENESS_PSNR_MOST  99.0

struct likeness {
    bool exact; /* no pixel differs */
    double psnr_db, ssim;
};

/* The squared difference of two pixels (0x00RRGGBB), the sum of its three colours. */
uint32_t likeness_difference(uint32_t one, uint32_t other);

/* Compares `area` of two pictures of the same size. The area is looked at in blocks of 4 x 4
 * pixels; those that touch one of the rectangles `without`, and what is left over at the right and
 * at the bottom, are left out. False when that leaves no window of 2 x 2 blocks. */
bool likeness_of(const struct mark_picture *drawn, const struct mark_picture *shown,
                 struct rect area, const struct rect *without, size_t count, struct likeness *out);

#ifdef __cplusplus
}
#endif
#endif
