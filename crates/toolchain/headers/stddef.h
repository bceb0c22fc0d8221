/* C17 7.19. */
#ifndef __HOWLER_STDDEF_H
#define __HOWLER_STDDEF_H
#include <howler/features.h>
#include <howler/null.h>
#include <howler/size_t.h>
#include <howler/wchar_t.h>

#ifdef __HOWLER_LP64
typedef long ptrdiff_t;
#else
typedef int ptrdiff_t;
#endif

#ifdef __HOWLER_C11
/* i386 has a third member: gcc's is as strict as its __float128. */
typedef struct
{
  long long __integer __attribute__ ((__aligned__ (8)));
# ifdef __HOWLER_LP64
  long double __floating __attribute__ ((__aligned__ (16)));
# else
  long double __floating __attribute__ ((__aligned__ (4)));
  char __wide[16] __attribute__ ((__aligned__ (16)));
# endif
} max_align_t;
#endif

#define offsetof(type, member) __builtin_offsetof (type, member)

#endif
