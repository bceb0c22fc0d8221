/* wchar_t alone (C17 7.19p2): int, but long on i386. */
#ifndef __HOWLER_WCHAR_T
#define __HOWLER_WCHAR_T
#include <howler/features.h>
#ifdef __HOWLER_LP64
typedef int wchar_t;
#else
typedef long wchar_t;
#endif
#endif
