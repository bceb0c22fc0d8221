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

wchar_t *wmemcpy (wchar_t *__restrict to, const wchar_t *__restrict from, size_t count);
wchar_t *wmemmove (wchar_t *to, const wchar_t *from, size_t count);
wchar_t *wmemset (wchar_t *to, wchar_t c, size_t count);
int wmemcmp (const wchar_t *a, const wchar_t *b, size_t count);
wchar_t *wmemchr (const wchar_t *block, wchar_t c, size_t count);
wchar_t *wcscpy (wchar_t *__restrict to, const wchar_t *__restrict from);
wchar_t *wcsncpy (wchar_t *__restrict to, const wchar_t *__restrict from, size_t count);
wchar_t *wcscat (wchar_t *__restrict to, const wchar_t *__restrict from);
wchar_t *wcsncat (wchar_t *__restrict to, const wchar_t *__restrict from, size_t count);
int wcscmp (const wchar_t *a, const wchar_t *b);
int wcsncmp (const wchar_t *a, const wchar_t *b, size_t count);
size_t wcslen (const wchar_t *text);
wchar_t *wcschr (const wchar_t *text, wchar_t c);
wchar_t *wcsrchr (const wchar_t *text, wchar_t c);
size_t wcsspn (const wchar_t *text, const wchar_t *set);
size_t wcscspn (const wchar_t *text, const wchar_t *set);
wchar_t *wcspbrk (const wchar_t *text, const wchar_t *set);
wchar_t *wcsstr (const wchar_t *text, const wchar_t *part);

#endif
