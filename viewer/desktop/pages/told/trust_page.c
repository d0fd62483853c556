#include "viewer/desktop/pages/told/trust_page.h"

#include <stdio.h>

static struct ui_code trust_page_code(const char *label, const uint8_t sha256[FINGERPRINT_BYTES],
                                      struct trust_page_code *to)
{
    fingerprint_rows(sha256, to->rows);
    fingerprint_text(sha256, to->line);
    return (struct ui_code){label, to->rows, to->line};
}

void trust_page_ask(const struct session_question *q, const char *server, struct trust_page *out)
{
    const bool key = trust_is_key(q);

    out->dialog = (struct ui_dialog){
        .title = out->title,
        .warning = out->warning,
        .text = key ? "Ask whoever looks after the server for the fingerprint of its key, and "
                      "compare it with the one below. Other viewers show the short form."
                    : "Ask whoever looks after the server for the fingerprint of its certificate, "
                      "and compare it with the one below. Subject and date prove nothing: anybody "
                      "can write them.",
        .facts = {{key ? "Key" : "Subject", trust_subject(q)},
                  {key ? "Short form" : "Expires", key ? q->brief : trust_expires(q)}},
        .codes = {trust_page_code("SHA-256", q->sha256, &out->codes[0])},
        .below = "If they differ, refuse: somebody else answers in the server's place, and would "
                 "get your password, your keys and the picture.",
        .accept = "Accept and remember",
        .once = "Only this time",
        .cancel = "Refuse",
        .cancel_by_default = true,
    };
    snprintf(out->title, sizeof out->title, "Is this really %s?", server);
    snprintf(out->warning, sizeof out->warning, "This computer cannot verify the server's %s: %s.",
             key ? "key" : "certificate", q->faults);
}

void trust_page_change(const struct trust_change *change, const char *server,
                       struct trust_page *out)
{
    out->dialog = (struct ui_dialog){
        .title = out->title,
        .alarm = true,
        .text = "Somebody may be answering in the server's place, to get your password. Or the "
                "server was set up anew. Nothing was sent.",
        .codes = {trust_page_code(out->label, change->before, &out->codes[0]),
                  trust_page_code("Shown now", change->now, &out->codes[1])},
        .below = "Ask whoever looks after the server. Only if the new fingerprint is right: "
                 "forget the old one. Then you are asked about the new one.",
        .accept = "Forget the old one...",
        .cancel_by_default = true,
    };
    snprintf(out->title, sizeof out->title, "The %s of %s has changed!",
             change->is_key ? "key" : "certificate", server);
    snprintf(out->label, sizeof out->label, "Accepted on %s", change->date);
}
