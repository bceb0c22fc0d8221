/* C17 7.29, only what works on memory: no wide streams, no multibyte conversion. */
#ifndef __HOWLER_WCHAR_H
#define __HOWLER_WCHAR_H
#include <howler/features.h>
#include <howler/null.h>
#include <howler/size_t.h>
#include <howler/wchar_t.h>
#include <howler/wchar_limits.h>

typedef unsigned int wint_t;
#define WEOF 0xffffffffU

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
size_t wcslen (const wchar_t *__text);
wchar_t *wcschr (const wchar_t *__text, wchar_t __c);
wchar_t *wcsrchr (const wchar_t *__text, wchar_t __c);
size_t wcsspn (const wchar_t *__text, const wchar_t *__set);
size_t wcscspn (const wchar_t *__text, const wchar_t *__set);
wchar_t *wcspbrk (const wchar_t *__text, const wchar_t *__set);
wchar_t *wcsstr (const wchar_t *__text, const wchar_t *__part);

#endif
