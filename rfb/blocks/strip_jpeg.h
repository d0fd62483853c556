/* Makes a JPEG strip by turbojpeg. The viewer writes the header of the file itself
 * (strip_header.h), so only the entropy-coded data leaves.
 */
#ifndef VNCHL_STRIP_JPEG_H
#define VNCHL_STRIP_JPEG_H

#include <stddef.h>
#include <stdint.h>
#include <turbojpeg.h>

#include "rfb/blocks/block.h"

#ifdef __cplusplus
extern "C" {
#endif

/* From this quality on a JPEG block has a colour for each pixel (4:4:4), below it one for four. */
#define BLOCK_FULL_CHROMA 80
/* Bytes of a file of BLOCK_AREA_MAX pixels at most, as tjBufSize() says. */
#define STRIP_JPEG_FILE (6 * BLOCK_AREA_MAX + 2048)

/* Encodes w x h pixels 0x??RRGGBB in rows of `stride`, at a quality of 1..100: from
 * BLOCK_FULL_CHROMA on with all of the colour. `file` has `room` bytes, STRIP_JPEG_FILE for as many
 * pixels as a block may have. Returns the bytes of the data, which begins at file + STRIP_HEADER.
 * 0: it does not work, or turbojpeg wrote another header than the viewer will. */
size_t strip_jpeg(tjhandle jpeg, const uint32_t *pixels, int stride, int w, int h, int quality,
                  uint8_t *file, size_t room);

#ifdef __cplusplus
}
#endif
#endif
