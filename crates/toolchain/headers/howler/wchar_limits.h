/* The limits of wchar_t (C17 7.20.3p4), in <stdint.h> and <wchar.h>. They have its promoted type, which on i386 is
   long to gcc and int to clang. */
#ifndef WCHAR_MAX
#include <howler/features.h>
#ifdef __HOWLER_LP64
# define WCHAR_MIN (-2147483647 - 1)
# define WCHAR_MAX 2147483647
#else
# define WCHAR_MIN (-2147483647 - 1 + L'\0')
# define WCHAR_MAX (2147483647 + L'\0')
#endif
#endif
