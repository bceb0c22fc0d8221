/* POSIX: the older names for memory and strings. */
#ifndef __HOWLER_STRINGS_H
#define __HOWLER_STRINGS_H
#include <howler/features.h>
#include <howler/size_t.h>

int bcmp (const void *a, const void *b, size_t size);
void bcopy (const void *from, void *to, size_t size);
void bzero (void *to, size_t size);
char *index (const char *text, int c);
char *rindex (const char *text, int c);
int ffs (int x);
int strcasecmp (const char *a, const char *b);
int strncasecmp (const char *a, const char *b, size_t size);
#ifdef __HOWLER_MISC
int ffsl (long x);
int ffsll (long long x);
#endif

#endif
