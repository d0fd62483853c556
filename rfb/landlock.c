#include "rfb/landlock.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* All rights that this version of the kernel's Landlock knows: one that it does not know it would
 * refuse. */
static uint64_t all_rights(int version)
{
    uint64_t rights = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1; /* the first version */

    if (version >= 2)
        rights |= 1ULL << 13; /* REFER */
    if (version >= 3)
        rights |= 1ULL << 14; /* TRUNCATE */
    return rights;
}

int landlock_allow_nothing(void)
{
    int version =
        (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    const struct landlock_ruleset_attr all = {.handled_access_fs = all_rights(version)};

    return version < 1 ? -1 : (int)syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0);
}

void landlock_allow_reading(int rules, const char *folder)
{
    struct landlock_path_beneath_attr rule = {
        .allowed_access = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
        .parent_fd = open(folder, O_PATH | O_CLOEXEC),
    };

    if (rule.parent_fd < 0)
        return;
    syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(rule.parent_fd);
}

bool landlock_enforce(int rules)
{
    bool done = rules >= 0 && syscall(SYS_landlock_restrict_self, rules, 0) == 0;

    if (rules >= 0)
        close(rules);
    return done;
}
