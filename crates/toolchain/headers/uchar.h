/* C17 7.28. */
#ifndef __HOWLER_UCHAR_H
#define __HOWLER_UCHAR_H
#include <howler/features.h>
#include <howler/mbstate_t.h>
#include <howler/size_t.h>

typedef unsigned short char16_t;
typedef unsigned int char32_t;

size_t mbrtoc16 (char16_t *__restrict __to, const char *__restrict __text, size_t __size,
                 mbstate_t *__restrict __state);
size_t c16rtomb (char *__restrict __to, char16_t __c, mbstate_t *__restrict __state);
size_t mbrtoc32 (char32_t *__restrict __to, const char *__restrict __text, size_t __size,
                 mbstate_t *__restrict __state);
size_t c32rtomb (char *__restrict __to, char32_t __c, mbstate_t *__restrict __state);

#endif
