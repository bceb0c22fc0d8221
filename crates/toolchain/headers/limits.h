/* C17 5.2.4.2.1. Plain numbers, so that the text means the same to every compiler. */
#ifndef __HOWLER_LIMITS_H
#define __HOWLER_LIMITS_H
#include <howler/features.h>

#define CHAR_BIT 8
#define MB_LEN_MAX 16

#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#ifdef __CHAR_UNSIGNED__
# define CHAR_MIN 0
# define CHAR_MAX 255
#else
# define CHAR_MIN (-128)
# define CHAR_MAX 127
#endif

#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535

#define INT_MIN (-2147483647 - 1)
#define INT_MAX 2147483647
#define UINT_MAX 4294967295U

#ifdef __HOWLER_LP64
# define LONG_MIN (-9223372036854775807L - 1L)
# define LONG_MAX 9223372036854775807L
# define ULONG_MAX 18446744073709551615UL
#else
# define LONG_MIN (-2147483647L - 1L)
# define LONG_MAX 2147483647L
# define ULONG_MAX 4294967295UL
#endif

#ifdef __HOWLER_C99
# define LLONG_MIN (-9223372036854775807LL - 1LL)
# define LLONG_MAX 9223372036854775807LL
# define ULLONG_MAX 18446744073709551615ULL
#endif

#ifdef __HOWLER_POSIX
# ifdef __HOWLER_LP64
#  define SSIZE_MAX LONG_MAX
# else
#  define SSIZE_MAX INT_MAX
# endif
# define PATH_MAX 4096
#endif

#endif
