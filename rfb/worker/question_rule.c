#include "rfb/worker/question_rule.h"

bool question_rule_allows(const struct session_options *o, const struct session_question *q)
{
    security_set allowed = session_allows(o);

    if (q->kind != QUESTION_TRUST)
        return security_has(allowed, q->channel, q->proof);
    if (q->channel == CHANNEL_CERTIFICATE)
        return !*o->x509_ca && !o->pinned && security_with_certificate(allowed);
    return !o->pinned && security_has(allowed, q->channel, PROOF_PLAIN);
}
