/* POSIX: the older names for memory and strings. */
#ifndef __HOWLER_STRINGS_H
#define __HOWLER_STRINGS_H
#include <howler/features.h>
#include <howler/size_t.h>

int bcmp (const void *__a, const void *__b, size_t __size);
void bcopy (const void *__from, void *__to, size_t __size);
void bzero (void *__to, size_t __size);
char *index (const char *__text, int __c);
char *rindex (const char *__text, int __c);
int ffs (int __x);
int strcasecmp (const char *__a, const char *__b);
int strncasecmp (const char *__a, const char *__b, size_t __size);
#ifdef __HOWLER_MISC
int ffsl (long __x);
int ffsll (long long __x);
#endif

#endif
