#include "viewer/session_bus.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "disabled:" is what display.c says where there is none. */
bool session_bus_there(void)
{
    const char *bus = getenv("DBUS_SESSION_BUS_ADDRESS"), *run = getenv("XDG_RUNTIME_DIR");
    char path[PATH_MAX];

    if (bus && *bus)
        return strcmp(bus, "disabled:") != 0;
    return run && *run == '/' && snprintf(path, sizeof path, "%s/bus", run) < (int)sizeof path &&
           access(path, F_OK) == 0;
}
