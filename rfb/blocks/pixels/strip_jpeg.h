/* A strip as a JPEG file: its header, and making one by turbojpeg. The viewer writes the header
 * itself, so only the entropy-coded data leaves.
 *
 * Any thread: functions without state.
 */
#ifndef VNCHL_STRIP_JPEG_H
#define VNCHL_STRIP_JPEG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <turbojpeg.h>

#include "rfb/blocks/block.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a JPEG file has before its entropy-coded data. Blocks leave it out: all of it follows from
 * quality, subsampling and size. The tables are those of ITU-T T.81, Annex K, the quantisation
 * scaled as libjpeg does. So the file that turbojpeg writes begins with these bytes. */

/* Bytes of the header, and of the mark behind the data that ends the file. */
#define STRIP_HEADER 623
#define STRIP_END    2

/* Writes the header of a file with this quality, 1..100, and size in pixels, 1..65535. With
 * `full_chroma` each pixel has a colour of its own (4:4:4), else four have one (4:2:0). */
void strip_header_write(uint8_t out[STRIP_HEADER], int quality, bool full_chroma, int width,
                        int height);

void strip_end_write(uint8_t out[STRIP_END]);

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
