#include "rfb/system/landlock.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What is given up, as the kernel takes it: struct landlock_ruleset_attr of older headers ends
 * after the files. */
struct given_up {
    uint64_t files, network, scopes;
};

/* All rights to files that this version knows: one that it does not know it would refuse. */
static uint64_t all_of_files(int version)
{
    uint64_t rights = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1; /* the first version */

    if (version >= 2)
        rights |= 1ULL << 13; /* REFER */
    if (version >= 3)
        rights |= 1ULL << 14; /* TRUNCATE */
    if (version >= 5)
        rights |= 1ULL << 15; /* IOCTL_DEV */
    return rights;
}

/* `isolated`: also without ports and other processes. A kernel that does not know the last fields
 * takes them as long as they are 0. */
static int rules_without_files(bool isolated)
{
    int version =
        (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    const struct given_up what = {
        .files = all_of_files(version),
        .network = isolated && version >= 4 ? 1 << 0 | 1 << 1 : 0, /* BIND_TCP, CONNECT_TCP */
        .scopes = isolated && version >= 6 ? 1 << 0 | 1 << 1 : 0, /* ABSTRACT_UNIX_SOCKET, SIGNAL */
    };

    return version < 1 ? -1 : (int)syscall(SYS_landlock_create_ruleset, &what, sizeof what, 0);
}

int landlock_allow_no_files(void)
{
    return rules_without_files(false);
}

int landlock_allow_nothing(void)
{
    return rules_without_files(true);
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
