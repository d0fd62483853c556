/* The bus of this session of the desktop (D-Bus), on which keyrings and settings are. */
#ifndef VNCHL_SESSION_BUS_H
#define VNCHL_SESSION_BUS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether there may be one, as the bus's own library looks for it. Asks nobody. */
bool session_bus_there(void);

#ifdef __cplusplus
}
#endif
#endif
