#include "prerequest/rules.h"

#define NAME(id, name, what) name,
#define WHAT(id, name, what) what,

static const char *const names[] = {RULES(NAME)};
static const char *const what[] = {RULES(WHAT)};

_Static_assert(RULE_COUNT <= 64, "a rule_set has a bit for each rule");

const char *rule_name(enum rule_id id)
{
    return names[id];
}

const char *rule_does(enum rule_id id)
{
    return what[id];
}
