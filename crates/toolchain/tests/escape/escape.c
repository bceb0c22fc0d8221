/* Tries one thing that no program under test may do. It says "done", or the name of the error. The first argument is
   the attempt, the second a folder outside, the third the number of a process outside. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

static char path[4096];

static const char *in(const char *folder, const char *name) {
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int said(long result) {
    puts(result < 0 ? strerrorname_np(errno) : "done");
    return result < 0;
}

static int fill(const char *folder) {
    static char block[1 << 20];
    char file[64];
    memset(block, 1, sizeof block);
    for (int number = 0; number < 64; number++) {
        snprintf(file, sizeof file, "filler-%d-%d", getpid(), number);
        int out = open(in(folder, file), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (out < 0) return said(-1);
        /* Below the limit on one file. */
        for (int i = 0; i < 100; i++)
            if (write(out, block, sizeof block) < 0) return said(-1);
        close(out);
    }
    return said(0);
}

int main(int argc, char **argv) {
    const char *what = argv[1], *folder = argv[2];
    pid_t other = atoi(argv[3]);
    if (!strcmp(what, "write")) return said(open(in(folder, "file"), O_WRONLY | O_APPEND));
    if (!strcmp(what, "truncate")) return said(truncate(in(folder, "file"), 0));
    if (!strcmp(what, "create")) return said(open(in(folder, "new"), O_WRONLY | O_CREAT, 0600));
    if (!strcmp(what, "unlink")) return said(unlink(in(folder, "file")));
    if (!strcmp(what, "rename")) return said(rename(in(folder, "file"), "here"));
    if (!strcmp(what, "chmod")) return said(chmod(in(folder, "file"), 0777));
    if (!strcmp(what, "chown")) return said(chown(in(folder, "file"), 1, 1));
    if (!strcmp(what, "utime")) return said(utimensat(AT_FDCWD, in(folder, "file"), NULL, 0));
    if (!strcmp(what, "link")) return said(link("/etc/passwd", in(folder, "link")));
    if (!strcmp(what, "mknod outside")) return said(mknod(in(folder, "null"), S_IFCHR | 0600, makedev(1, 3)));
    if (!strcmp(what, "mknod inside")) return said(mknod("null", S_IFCHR | 0600, makedev(1, 3)));
    if (!strcmp(what, "chown inside")) {
        close(open("mine", O_WRONLY | O_CREAT, 0600));
        return said(chown("mine", 1, 1));
    }
    if (!strcmp(what, "disk")) return said(open("/dev/vda", O_RDWR));
    if (!strcmp(what, "sysctl")) return said(open("/proc/sys/kernel/core_pattern", O_WRONLY));
    if (!strcmp(what, "setuid")) return said(setuid(getuid() == 1 ? 2 : 1));
    if (!strcmp(what, "kill")) return said(kill(other, SIGKILL));
    if (!strcmp(what, "kill all")) {
        signal(SIGTERM, SIG_IGN);
        kill(-1, SIGTERM);
        /* Whoever asks sees whether the others live. */
        return said(kill(other, 0));
    }
    if (!strcmp(what, "ptrace")) return said(ptrace(PTRACE_ATTACH, other, NULL, NULL));
    if (!strcmp(what, "ptrace guard")) return said(ptrace(PTRACE_ATTACH, getppid(), NULL, NULL));
    if (!strcmp(what, "memory of guard")) {
        snprintf(path, sizeof path, "/proc/%d/mem", getppid());
        return said(open(path, O_RDWR));
    }
    if (!strcmp(what, "root of guard")) {
        snprintf(path, sizeof path, "/proc/%d/root/etc/passwd", getppid());
        return said(open(path, O_RDONLY));
    }
    if (!strcmp(what, "mount")) return said(mount("tmpfs", ".", "tmpfs", 0, NULL));
    if (!strcmp(what, "remount")) return said(mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND, NULL));
    if (!strcmp(what, "chroot")) return said(chroot("."));
    if (!strcmp(what, "namespace")) return said(unshare(CLONE_NEWUSER | CLONE_NEWNS));
    if (!strcmp(what, "clone")) return said(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
    if (!strcmp(what, "clone3")) {
        unsigned long long args[11] = {CLONE_NEWUSER, 0, 0, 0, SIGCHLD};
        return said(syscall(SYS_clone3, args, sizeof args));
    }
    if (!strcmp(what, "socket")) return said(socket(AF_INET, SOCK_STREAM, 0));
    if (!strcmp(what, "unix socket")) {
        struct sockaddr_un name = {.sun_family = AF_UNIX};
        int end = socket(AF_UNIX, SOCK_STREAM, 0);
        if (end < 0) return said(-1);
        snprintf(name.sun_path, sizeof name.sun_path, "%s/socket", folder);
        return said(connect(end, (void *)&name, sizeof name));
    }
    if (!strcmp(what, "io_uring")) return said(syscall(425, 8, NULL));
    if (!strcmp(what, "keys")) return said(syscall(SYS_add_key, "user", "howler", "x", 1, -4));
    if (!strcmp(what, "fill /tmp")) return fill("/tmp");
    if (!strcmp(what, "fill TMPDIR")) return fill(getenv("TMPDIR"));
    if (!strcmp(what, "fill scratch")) return fill(".");
    if (!strcmp(what, "descriptors")) {
        /* The standard three are its own. */
        for (int file = 3; file < 1024; file++)
            if (fcntl(file, F_GETFD) >= 0) return said(0);
        errno = EBADF;
        return said(-1);
    }
    if (!strcmp(what, "outlive")) {
        signal(SIGHUP, SIG_IGN);
        if (fork() == 0) {
            setsid();
            if (fork() == 0) {
                for (int file = 0; file < 3; file++) close(file);
                /* The mark by which it is found. */
                execl("/bin/sleep", "sleep", argv[4], (char *)NULL);
            }
            _exit(0);
        }
        usleep(50000);
        return said(0);
    }
    puts("no such attempt");
    return 2;
}
