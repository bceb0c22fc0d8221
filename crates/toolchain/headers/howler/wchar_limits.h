/* The limits of wchar_t (C17 7.20.3p4), in <stdint.h> and <wchar.h>. */
#ifndef WCHAR_MAX
#include <howler/features.h>
#ifdef __HOWLER_LP64
# define WCHAR_MIN (-2147483647 - 1)
# define WCHAR_MAX 2147483647
#else
# define WCHAR_MIN (-2147483647L - 1)
# define WCHAR_MAX 2147483647L
#endif
#endif
