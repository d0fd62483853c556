#include "tools/accelerator/service/confine.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

#include "rfb/landlock.h"

#ifdef VNCHL_SECCOMP
#include <seccomp.h>
#endif

/* ---- files ---- */

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
    landlock_allow_reading(rules, folder);
}

static bool confine_files(const char *const *files, int count)
{
    /* how names are looked up, and libraries that are loaded for that */
    static const char *const folders[] = {"/etc", "/usr", "/lib", "/lib64", "/run"};
    int rules = landlock_allow_no_files();

    if (rules < 0)
        return false;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        landlock_allow_reading(rules, folders[i]);
    for (int i = 0; i < count; i++)
        may_read_again(rules, files[i]);
    return landlock_enforce(rules);
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
