/* C17 7.16. */
#ifndef __HOWLER_STDARG_H
#define __HOWLER_STDARG_H
#include <howler/features.h>
#include <howler/va_list.h>
#define va_start(list, last) __builtin_va_start (list, last)
#define va_arg(list, type) __builtin_va_arg (list, type)
#define va_end(list) __builtin_va_end (list)
#define __va_copy(to, from) __builtin_va_copy (to, from)
#if defined __HOWLER_C99 || !defined __STRICT_ANSI__
# define va_copy(to, from) __builtin_va_copy (to, from)
#endif
#endif
