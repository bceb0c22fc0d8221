/* POSIX, only what a program alone with its output can use. */
#ifndef __HOWLER_UNISTD_H
#define __HOWLER_UNISTD_H
#include <howler/features.h>
#include <howler/null.h>
#include <howler/size_t.h>
#include <howler/ssize_t.h>

#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2

#ifdef __HOWLER_GNU
extern char **environ;
#endif

ssize_t read (int __file, void *__to, size_t __size);
unsigned int sleep (unsigned int __seconds);
int usleep (unsigned int __microseconds);
int isatty (int __file);
int close (int __file);
int unlink (const char *__name);
int access (const char *__name, int __mode);
int getpid (void);
int fork (void);
int getopt (int __count, char *const __arguments[], const char *__letters);
extern char *optarg;
extern int optind;
extern int opterr;
extern int optopt;
ssize_t write (int __file, const void *__from, size_t __size);
void _exit (int __status) __HOWLER_NORETURN;

#endif
