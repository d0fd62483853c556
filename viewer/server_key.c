#include "viewer/server_key.h"

#include <stdio.h>

void server_key(const struct session_question *q, char out[SERVER_KEY_MAX])
{
    snprintf(out, SERVER_KEY_MAX, "%s%s%s", q->host,
             q->way == WAY_STRAIGHT ? "" : ",via=", q->way == WAY_STRAIGHT ? "" : q->gateway);
}
