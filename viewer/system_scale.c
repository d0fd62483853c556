#include "viewer/system_scale.h"

#include "rfb/log.h"
#include "viewer/server_key.h"
#include "viewer/server_marks.h"

static bool system_scale_names_server(const struct route *route)
{
    return !route->listen && !*route->play;
}

bool system_scale_recall(const struct address *a, const struct route *route)
{
    char key[SERVER_KEY_MAX];
    unsigned port = server_key_of(a, route, key);

    return system_scale_names_server(route) &&
           server_marks_has(SERVER_MARK_SYSTEM_SCALE, key, port);
}

void system_scale_note(const struct address *a, const struct route *route, bool on)
{
    char key[SERVER_KEY_MAX];
    unsigned port = server_key_of(a, route, key);
    struct reason why;

    if (system_scale_names_server(route) &&
        !server_marks_note(SERVER_MARK_SYSTEM_SCALE, key, port, on, &why))
        log_line("the size of the picture is not remembered: %s", why.text);
}
