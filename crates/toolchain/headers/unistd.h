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

ssize_t write (int __file, const void *__from, size_t __size);
void _exit (int __status) __HOWLER_NORETURN;

#endif
