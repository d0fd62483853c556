/* The pixel encodings, a row each, best first.
 *
 * All that depends on which encodings there are is made of these rows: their names in options, help
 * and man page (rfb/proto/encodings/encodings.c), how the end of a rectangle is found by whoever
 * passes a connection on (rfb/framing/rectangle_framing.c), and what decodes it
 * (rfb/decode/decoder.c). To add an encoding, write its decoder (rfb/decode/pixel_decoder.h) and
 * add a row. What is offered by default stands in ENCODINGS_DEFAULT (encodings.h), too.
 *
 * A row has: its name in C, its name for users, its number, how its end is found in
 * rectangle_framing.c with the bytes that belong to that, and its decoder. FIRST is made of the
 * first row, NEXT of each other.
 */
#ifndef VNCHL_ENCODING_ROWS_H
#define VNCHL_ENCODING_ROWS_H

#define ENCODING_ROWS(FIRST, NEXT)                                                                 \
    FIRST(H264, "h264", 50, ENDS_LENGTH, H264_FLAGS, h264_decoder)                                 \
    NEXT(TIGHT, "tight", 7, ENDS_TIGHT, 0, library_decoder)                                        \
    NEXT(ZRLE, "zrle", 16, ENDS_LENGTH, 0, library_decoder)                                        \
    NEXT(ZLIB, "zlib", 6, ENDS_LENGTH, 0, library_decoder)                                         \
    NEXT(HEXTILE, "hextile", 5, ENDS_HEXTILE, 0, library_decoder)                                  \
    NEXT(CORRE, "corre", 4, ENDS_RRE, CORRE_RECT, library_decoder)                                 \
    NEXT(RRE, "rre", 2, ENDS_RRE, RRE_RECT, library_decoder)                                       \
    NEXT(COPYRECT, "copyrect", 1, ENDS_FIXED, COPYRECT_BYTES, copy_decoder)                        \
    NEXT(RAW, "raw", 0, ENDS_RAW, 0, raw_decoder)

#endif
