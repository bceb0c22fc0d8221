/* ssize_t alone (POSIX). */
#ifndef __HOWLER_SSIZE_T
#define __HOWLER_SSIZE_T
#include <howler/features.h>
#ifdef __HOWLER_LP64
typedef long ssize_t;
#else
typedef int ssize_t;
#endif
#endif
