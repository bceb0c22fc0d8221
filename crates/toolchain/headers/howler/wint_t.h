/* wint_t alone (C17 7.29.1p2): <wchar.h> and <wctype.h> define it. */
#ifndef __HOWLER_WINT_T
#define __HOWLER_WINT_T
typedef unsigned int wint_t;
#define WEOF 0xffffffffU
#endif
