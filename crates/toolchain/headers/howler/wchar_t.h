/* wchar_t alone (C17 7.19p2). On i386 it is long to gcc and int to clang: one text for both asks for the type of a
   wide character constant, which is wchar_t (6.4.4.4p11). */
#ifndef __HOWLER_WCHAR_T
#define __HOWLER_WCHAR_T
#include <howler/features.h>
#ifdef __HOWLER_LP64
typedef int wchar_t;
#else
typedef __typeof__ (L' ') wchar_t;
#endif
#endif
