#include "tools/accelerator/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef VNCHL_SECCOMP
#include <seccomp.h>
#endif

/* ---- files ---- */

#define READS (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)

/* All that the first version of Landlock knows. */
#define ALL                                                                                        \
    (READS | LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |                          \
     LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |                              \
     LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |    \
     LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK | \
     LANDLOCK_ACCESS_FS_MAKE_SYM)

static void may_read(int rules, const char *path)
{
    struct landlock_path_beneath_attr rule = {.allowed_access = READS};

    rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
    if (rule.parent_fd < 0)
        return;
    syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(rule.parent_fd);
}

/* A file is often replaced by another one of its name, so it is its folder that counts. */
static void may_read_again(int rules, const char *file)
{
    char folder[1024];
    char *slash;

    snprintf(folder, sizeof folder, "%s", file);
    slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder ? 1 : 0] = '\0';
    else
        strcpy(folder, ".");
    may_read(rules, folder);
}

static bool confine_files(const char *const *files, int count)
{
    /* how names are looked up, and libraries that are loaded for that */
    static const char *const folders[] = {"/etc", "/usr", "/lib", "/lib64", "/run"};
    const struct landlock_ruleset_attr all = {.handled_access_fs = ALL};
    int rules = (int)syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0);
    bool done;

    if (rules < 0)
        return false;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        may_read(rules, folders[i]);
    for (int i = 0; i < count; i++)
        may_read_again(rules, files[i]);
    done = syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    close(rules);
    return done;
}

/* ---- calls ---- */

#ifdef VNCHL_SECCOMP

static bool confine_calls(void)
{
    static const char *const taken[] = {"execve",
                                        "execveat",
                                        "ptrace",
                                        "process_vm_readv",
                                        "kill",
                                        "process_vm_writev",
                                        "tkill",
                                        "pidfd_send_signal",
                                        "mount",
                                        "umount2",
                                        "pivot_root",
                                        "chroot",
                                        "setns",
                                        "unshare",
                                        "bpf",
                                        "perf_event_open",
                                        "keyctl",
                                        "add_key",
                                        "request_key",
                                        "init_module",
                                        "finit_module",
                                        "delete_module",
                                        "kexec_load",
                                        "kexec_file_load",
                                        "reboot",
                                        "swapon",
                                        "swapoff",
                                        "settimeofday",
                                        "clock_settime",
                                        "userfaultfd",
                                        "io_uring_setup",
                                        "acct",
                                        "quotactl",
                                        "setuid",
                                        "setgid",
                                        "setresuid",
                                        "setresgid",
                                        "setgroups",
                                        "capset",
                                        "personality"};
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    bool done = filter != NULL;

    for (size_t i = 0; done && i < sizeof taken / sizeof *taken; i++) {
        int number = seccomp_syscall_resolve_name(taken[i]);

        if (number != __NR_SCMP_ERROR)
            done = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), number, 0) == 0;
    }
    done = done && seccomp_load(filter) == 0;
    if (filter)
        seccomp_release(filter);
    return done;
}

#else

static bool confine_calls(void)
{
    return false;
}

#endif

struct confined confine(const char *const *files, int count)
{
    struct confined c = {false, false};

#ifdef VNCHL_CONFINED
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return c;
    c.files = confine_files(files, count);
    c.calls = confine_calls();
#endif
    return c;
}
