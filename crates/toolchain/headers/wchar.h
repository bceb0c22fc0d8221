/* C17 7.29. Wide streams and conversions that need a state are refused where they are used. */
#ifndef __HOWLER_WCHAR_H
#define __HOWLER_WCHAR_H
#include <howler/features.h>
#include <howler/mbstate_t.h>
#include <howler/null.h>
#include <howler/size_t.h>
#include <howler/wchar_t.h>
#include <howler/wchar_limits.h>
#include <howler/wint_t.h>

struct tm;
struct _IO_FILE;

wchar_t *wmemcpy (wchar_t *__restrict __to, const wchar_t *__restrict __from, size_t __count);
wchar_t *wmemmove (wchar_t *__to, const wchar_t *__from, size_t __count);
wchar_t *wmemset (wchar_t *__to, wchar_t __c, size_t __count);
int wmemcmp (const wchar_t *__a, const wchar_t *__b, size_t __count);
wchar_t *wmemchr (const wchar_t *__block, wchar_t __c, size_t __count);
wchar_t *wcscpy (wchar_t *__restrict __to, const wchar_t *__restrict __from);
wchar_t *wcsncpy (wchar_t *__restrict __to, const wchar_t *__restrict __from, size_t __count);
wchar_t *wcscat (wchar_t *__restrict __to, const wchar_t *__restrict __from);
wchar_t *wcsncat (wchar_t *__restrict __to, const wchar_t *__restrict __from, size_t __count);
int wcscmp (const wchar_t *__a, const wchar_t *__b);
int wcsncmp (const wchar_t *__a, const wchar_t *__b, size_t __count);
int wcscoll (const wchar_t *__a, const wchar_t *__b);
size_t wcsxfrm (wchar_t *__restrict __to, const wchar_t *__restrict __from, size_t __count);
size_t wcslen (const wchar_t *__text);
wchar_t *wcschr (const wchar_t *__text, wchar_t __c);
wchar_t *wcsrchr (const wchar_t *__text, wchar_t __c);
size_t wcsspn (const wchar_t *__text, const wchar_t *__set);
size_t wcscspn (const wchar_t *__text, const wchar_t *__set);
wchar_t *wcspbrk (const wchar_t *__text, const wchar_t *__set);
wchar_t *wcsstr (const wchar_t *__text, const wchar_t *__part);
wchar_t *wcstok (wchar_t *__restrict __text, const wchar_t *__restrict __set, wchar_t **__restrict __rest);

double wcstod (const wchar_t *__restrict __text, wchar_t **__restrict __end);
long wcstol (const wchar_t *__restrict __text, wchar_t **__restrict __end, int __base);
unsigned long wcstoul (const wchar_t *__restrict __text, wchar_t **__restrict __end, int __base);
#ifdef __HOWLER_C99
float wcstof (const wchar_t *__restrict __text, wchar_t **__restrict __end);
long double wcstold (const wchar_t *__restrict __text, wchar_t **__restrict __end);
long long wcstoll (const wchar_t *__restrict __text, wchar_t **__restrict __end, int __base);
unsigned long long wcstoull (const wchar_t *__restrict __text, wchar_t **__restrict __end, int __base);
#endif

wint_t btowc (int __c);
int wctob (wint_t __c);
int mbsinit (const mbstate_t *__state);
size_t mbrlen (const char *__restrict __text, size_t __size, mbstate_t *__restrict __state);
size_t mbrtowc (wchar_t *__restrict __to, const char *__restrict __text, size_t __size, mbstate_t *__restrict __state);
size_t wcrtomb (char *__restrict __to, wchar_t __c, mbstate_t *__restrict __state);
size_t mbsrtowcs (wchar_t *__restrict __to, const char **__restrict __from, size_t __count,
                  mbstate_t *__restrict __state);
size_t wcsrtombs (char *__restrict __to, const wchar_t **__restrict __from, size_t __size,
                  mbstate_t *__restrict __state);

int wprintf (const wchar_t *__restrict __format, ...);
int fwprintf (struct _IO_FILE *__restrict __stream, const wchar_t *__restrict __format, ...);
int swprintf (wchar_t *__restrict __to, size_t __count, const wchar_t *__restrict __format, ...);
int vwprintf (const wchar_t *__restrict __format, __builtin_va_list __list);
int vfwprintf (struct _IO_FILE *__restrict __stream, const wchar_t *__restrict __format, __builtin_va_list __list);
int vswprintf (wchar_t *__restrict __to, size_t __count, const wchar_t *__restrict __format,
               __builtin_va_list __list);
int wscanf (const wchar_t *__restrict __format, ...);
int fwscanf (struct _IO_FILE *__restrict __stream, const wchar_t *__restrict __format, ...);
int swscanf (const wchar_t *__restrict __text, const wchar_t *__restrict __format, ...);
wint_t fgetwc (struct _IO_FILE *__stream);
wint_t getwc (struct _IO_FILE *__stream);
wint_t getwchar (void);
wint_t ungetwc (wint_t __c, struct _IO_FILE *__stream);
wchar_t *fgetws (wchar_t *__restrict __to, int __count, struct _IO_FILE *__restrict __stream);
wint_t fputwc (wchar_t __c, struct _IO_FILE *__stream);
wint_t putwc (wchar_t __c, struct _IO_FILE *__stream);
wint_t putwchar (wchar_t __c);
int fputws (const wchar_t *__restrict __text, struct _IO_FILE *__restrict __stream);
int fwide (struct _IO_FILE *__stream, int __mode);
size_t wcsftime (wchar_t *__restrict __to, size_t __count, const wchar_t *__restrict __format,
                 const struct tm *__restrict __time);

#ifdef __HOWLER_POSIX
wchar_t *wcsdup (const wchar_t *__text);
size_t wcsnlen (const wchar_t *__text, size_t __count);
wchar_t *wcpcpy (wchar_t *__restrict __to, const wchar_t *__restrict __from);
wchar_t *wcpncpy (wchar_t *__restrict __to, const wchar_t *__restrict __from, size_t __count);
int wcscasecmp (const wchar_t *__a, const wchar_t *__b);
int wcsncasecmp (const wchar_t *__a, const wchar_t *__b, size_t __count);
#endif
#ifdef __HOWLER_GNU
wchar_t *wmempcpy (wchar_t *__restrict __to, const wchar_t *__restrict __from, size_t __count);
#endif

#endif
