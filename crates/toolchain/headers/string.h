/* C17 7.24, and the POSIX and GNU functions that need nothing but memory. */
#ifndef __HOWLER_STRING_H
#define __HOWLER_STRING_H
#include <howler/features.h>
#include <howler/null.h>
#include <howler/size_t.h>
#ifdef __HOWLER_MISC
# include <strings.h>
#endif

void *memcpy (void *__restrict to, const void *__restrict from, size_t size);
void *memmove (void *to, const void *from, size_t size);
void *memset (void *to, int byte, size_t size);
int memcmp (const void *a, const void *b, size_t size);
void *memchr (const void *block, int byte, size_t size);

char *strcpy (char *__restrict to, const char *__restrict from);
char *strncpy (char *__restrict to, const char *__restrict from, size_t size);
char *strcat (char *__restrict to, const char *__restrict from);
char *strncat (char *__restrict to, const char *__restrict from, size_t size);
int strcmp (const char *a, const char *b);
int strncmp (const char *a, const char *b, size_t size);
int strcoll (const char *a, const char *b);
size_t strxfrm (char *__restrict to, const char *__restrict from, size_t size);
size_t strlen (const char *text);
char *strchr (const char *text, int c);
char *strrchr (const char *text, int c);
size_t strspn (const char *text, const char *set);
size_t strcspn (const char *text, const char *set);
char *strpbrk (const char *text, const char *set);
char *strstr (const char *text, const char *part);
char *strtok (char *__restrict text, const char *__restrict set);
char *strerror (int number);

#ifdef __HOWLER_POSIX
void *memccpy (void *__restrict to, const void *__restrict from, int byte, size_t size);
char *stpcpy (char *__restrict to, const char *__restrict from);
char *stpncpy (char *__restrict to, const char *__restrict from, size_t size);
char *strdup (const char *text);
char *strndup (const char *text, size_t size);
size_t strnlen (const char *text, size_t size);
char *strtok_r (char *__restrict text, const char *__restrict set, char **__restrict rest);
#endif

#ifdef __HOWLER_MISC
char *strsep (char **__restrict text, const char *__restrict set);
#endif

#ifdef __HOWLER_GNU
void *mempcpy (void *__restrict to, const void *__restrict from, size_t size);
void *memmem (const void *block, size_t size, const void *part, size_t part_size);
void *memrchr (const void *block, int byte, size_t size);
void *rawmemchr (const void *block, int byte);
char *strcasestr (const char *text, const char *part);
char *strchrnul (const char *text, int c);
#endif

#endif
