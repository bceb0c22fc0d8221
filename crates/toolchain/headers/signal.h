/* C17 7.14. Handlers are refused where they are installed. */
#ifndef __HOWLER_SIGNAL_H
#define __HOWLER_SIGNAL_H
#include <howler/features.h>

typedef int sig_atomic_t;

#define SIG_ERR ((void (*) (int)) -1)
#define SIG_DFL ((void (*) (int)) 0)
#define SIG_IGN ((void (*) (int)) 1)

#define SIGINT 2
#define SIGILL 4
#define SIGABRT 6
#define SIGFPE 8
#define SIGSEGV 11
#define SIGTERM 15
#ifdef __HOWLER_POSIX
# define SIGHUP 1
# define SIGQUIT 3
# define SIGTRAP 5
# define SIGBUS 7
# define SIGKILL 9
# define SIGUSR1 10
# define SIGUSR2 12
# define SIGPIPE 13
# define SIGALRM 14
# define SIGCHLD 17
# define SIGCONT 18
# define SIGSTOP 19
# define SIGTSTP 20
#endif

typedef void (*__sighandler_t) (int);
__sighandler_t signal (int __signal, __sighandler_t __handler);
int raise (int __signal);

#endif
