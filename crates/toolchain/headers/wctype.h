/* C17 7.30. */
#ifndef __HOWLER_WCTYPE_H
#define __HOWLER_WCTYPE_H
#include <howler/features.h>
#include <howler/wint_t.h>

typedef unsigned long wctype_t;
typedef const int *wctrans_t;

int iswalnum (wint_t __c);
int iswalpha (wint_t __c);
int iswcntrl (wint_t __c);
int iswdigit (wint_t __c);
int iswgraph (wint_t __c);
int iswlower (wint_t __c);
int iswprint (wint_t __c);
int iswpunct (wint_t __c);
int iswspace (wint_t __c);
int iswupper (wint_t __c);
int iswxdigit (wint_t __c);
#ifdef __HOWLER_C99
int iswblank (wint_t __c);
#endif
wint_t towlower (wint_t __c);
wint_t towupper (wint_t __c);
int iswctype (wint_t __c, wctype_t __class);
wctype_t wctype (const char *__name);
wint_t towctrans (wint_t __c, wctrans_t __map);
wctrans_t wctrans (const char *__name);

#endif
