#include "viewer/desktop/x_errors.h"

#include <X11/Xlib.h>

#include "rfb/log.h"

static int x_errors_on_error(Display *x, XErrorEvent *e)
{
    char text[128];

    XGetErrorText(x, e->error_code, text, sizeof text);
    log_debug("X11: request %d.%d failed: %s", e->request_code, e->minor_code, text);
    return 0;
}

void x_errors_survive(void)
{
    XSetErrorHandler(x_errors_on_error);
}
