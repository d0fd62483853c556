/* What a session's process may ask the user. It may be in a server's hands: then it would ask for a
 * password that the options keep from this server. Pure.
 */
#ifndef VNCHL_QUESTION_RULE_H
#define VNCHL_QUESTION_RULE_H

#include <stdbool.h>

#include "rfb/session/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether an honest process could ask this with these options. `q` is valid
 * (session_event_valid()). */
bool question_rule_allows(const struct session_options *o, const struct session_question *q);

#ifdef __cplusplus
}
#endif
#endif
