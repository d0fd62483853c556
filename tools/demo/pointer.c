#include "tools/demo/pointer.h"

rfbCursorPtr pointer_create(rfbScreenInfoPtr screen)
{
    static char shape[] = "            "
                          " x          "
                          " xx         "
                          " xxx        "
                          " xxxx       "
                          " xxxxx      "
                          " xxxxxx     "
                          " xxxxxxx    "
                          " xxxxxxxx   "
                          " xxxxxxxxx  "
                          " xxxxxx     "
                          " xxx xxx    "
                          " xx  xxx    "
                          " x    xxx   "
                          "      xxx   "
                          "            ";
    static char mask[] = "xx          "
                         "xxx         "
                         "xxxx        "
                         "xxxxx       "
                         "xxxxxx      "
                         "xxxxxxx     "
                         "xxxxxxxx    "
                         "xxxxxxxxx   "
                         "xxxxxxxxxx  "
                         "xxxxxxxxxxx "
                         "xxxxxxxxxxx "
                         "xxxxxxxxx   "
                         "xxxxxxxxx   "
                         "xxx  xxxxx  "
                         "xx   xxxxx  "
                         "      xxx   ";
    rfbCursorPtr c = rfbMakeXCursor(12, 16, shape, mask);
    if (!c) {
        return NULL;
    }
    c->xhot = 1;
    c->yhot = 1;
    /* Made on demand else, by whichever client thread comes first. */
    rfbMakeRichCursorFromXCursor(screen, c);
    if (!c->richSource) {
        rfbFreeCursor(c);
        return NULL;
    }
    return c;
}
