/* va_list alone (C17 7.16p3): <stdarg.h>, and <stdio.h> for POSIX. */
#ifndef __HOWLER_VA_LIST
#define __HOWLER_VA_LIST
typedef __builtin_va_list va_list;
#endif
