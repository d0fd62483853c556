/* What a JPEG file has before its entropy-coded data. Blocks leave it out: all of it follows from
 * quality, subsampling and size. The tables are those of ITU-T T.81, Annex K, the quantisation
 * scaled as libjpeg does. So the file that turbojpeg writes begins with these bytes.
 *
 * Any thread: functions without state.
 */
#ifndef VNCHL_STRIP_HEADER_H
#define VNCHL_STRIP_HEADER_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of the header, and of the mark behind the data that ends the file. */
#define STRIP_HEADER 623
#define STRIP_END    2

/* Writes the header of a file with this quality, 1..100, and size in pixels, 1..65535. With
 * `full_chroma` each pixel has a colour of its own (4:4:4), else four have one (4:2:0). */
void strip_header_write(uint8_t out[STRIP_HEADER], int quality, bool full_chroma, int width,
                        int height);

void strip_end_write(uint8_t out[STRIP_END]);

#ifdef __cplusplus
}
#endif
#endif
