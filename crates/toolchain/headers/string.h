/* C17 7.24, and the POSIX and GNU functions that need nothing but memory. */
#ifndef __HOWLER_STRING_H
#define __HOWLER_STRING_H
#include <howler/features.h>
#include <howler/null.h>
#include <howler/size_t.h>
#ifdef __HOWLER_MISC
# include <strings.h>
#endif

void *memcpy (void *__restrict __to, const void *__restrict __from, size_t __size);
void *memmove (void *__to, const void *__from, size_t __size);
void *memset (void *__to, int __byte, size_t __size);
int memcmp (const void *__a, const void *__b, size_t __size);
void *memchr (const void *__block, int __byte, size_t __size);

char *strcpy (char *__restrict __to, const char *__restrict __from);
char *strncpy (char *__restrict __to, const char *__restrict __from, size_t __size);
char *strcat (char *__restrict __to, const char *__restrict __from);
char *strncat (char *__restrict __to, const char *__restrict __from, size_t __size);
int strcmp (const char *__a, const char *__b);
int strncmp (const char *__a, const char *__b, size_t __size);
int strcoll (const char *__a, const char *__b);
size_t strxfrm (char *__restrict __to, const char *__restrict __from, size_t __size);
size_t strlen (const char *__text);
char *strchr (const char *__text, int __c);
char *strrchr (const char *__text, int __c);
size_t strspn (const char *__text, const char *__set);
size_t strcspn (const char *__text, const char *__set);
char *strpbrk (const char *__text, const char *__set);
char *strstr (const char *__text, const char *__part);
char *strtok (char *__restrict __text, const char *__restrict __set);
char *strerror (int __number);

#ifdef __HOWLER_POSIX
void *memccpy (void *__restrict __to, const void *__restrict __from, int __byte, size_t __size);
char *stpcpy (char *__restrict __to, const char *__restrict __from);
char *stpncpy (char *__restrict __to, const char *__restrict __from, size_t __size);
char *strdup (const char *__text);
char *strndup (const char *__text, size_t __size);
size_t strnlen (const char *__text, size_t __size);
char *strsignal (int __signal);
char *strtok_r (char *__restrict __text, const char *__restrict __set, char **__restrict __rest);
#endif

#ifdef __HOWLER_MISC
char *strsep (char **__restrict __text, const char *__restrict __set);
#endif

#ifdef __HOWLER_GNU
void *mempcpy (void *__restrict __to, const void *__restrict __from, size_t __size);
void *memmem (const void *__block, size_t __size, const void *__part, size_t __part_size);
void *memrchr (const void *__block, int __byte, size_t __size);
void *rawmemchr (const void *__block, int __byte);
char *strcasestr (const char *__text, const char *__part);
char *strchrnul (const char *__text, int __c);
#endif

#endif
