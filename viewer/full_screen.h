/* Which monitors full screen takes, as TigerVNC's viewer names them. Pure. */
#ifndef VNCHL_FULL_SCREEN_H
#define VNCHL_FULL_SCREEN_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum full_screen_mode {
    FULL_SCREEN_CURRENT, /* the one with the window */
    FULL_SCREEN_ALL,
    FULL_SCREEN_SELECTED,
};

#define FULL_SCREEN_MONITORS_MAX 32

struct full_screen {
    enum full_screen_mode mode;
    uint32_t selected; /* bit n: monitor n + 1 (monitors.h) */
};

/* "current", "all", "selected". False: it is none of these. */
bool full_screen_mode_parse(enum full_screen_mode *mode, const char *text);

/* "1,3": numbers from 1 to FULL_SCREEN_MONITORS_MAX. False: it is something else, or empty. */
bool full_screen_monitors_parse(uint32_t *selected, const char *text);

#ifdef __cplusplus
}
#endif
#endif
