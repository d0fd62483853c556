#include "prerequest/rules.h"

#define NAME(id, name, what) name,
#define WHAT(id, name, what) what,

static const char *const names[] = {RULES(NAME)};
static const char *const what[] = {RULES(WHAT)};

const char *rule_name(enum rule_id id)
{
    return names[id];
}

const char *rule_does(enum rule_id id)
{
    return what[id];
}

#ifdef PREREQUEST_ABLATION
_Static_assert(RULE_COUNT <= 64, "a rule_set has a bit for each rule");

static _Thread_local rule_set switched_off;

void rules_switch_off(rule_set rules)
{
    switched_off = rules;
}

bool rule_on(enum rule_id id)
{
    return !(switched_off >> id & 1);
}
#endif
