/* What stands behind the functions of session.h: a session in this process (session.c), or one in
 * another process (rfb/worker/worker.h). Its owner sees no difference.
 *
 * Whoever implements it embeds `struct session_head` as the first member of a struct of its own.
 */
#ifndef VNCHL_SESSION_OPS_H
#define VNCHL_SESSION_OPS_H

#include "rfb/session/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Each as the function of session.h with this name. A command is valid; `s` is not NULL. */
struct session_ops {
    void (*send)(struct session *s, const struct session_command *command);
    struct session_event *(*next_event)(struct session *s);
    struct framebuffer_reader *(*framebuffer)(struct session *s);
    void (*stats)(struct session *s, bool row, struct session_stats *out);
    void (*destroy)(struct session *s);
};

struct session_head {
    const struct session_ops *ops;
};

#ifdef __cplusplus
}
#endif
#endif
