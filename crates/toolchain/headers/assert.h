/* C17 7.2. The failing call is glibc's, so the object links with it. No include guard: NDEBUG counts anew
   each time (7.2p1). */
#include <howler/features.h>

#ifndef __HOWLER_ASSERT_H
#define __HOWLER_ASSERT_H
void __assert_fail (const char *__assertion, const char *__file, unsigned int __line, const char *__function)
  __HOWLER_NORETURN;
# ifdef __HOWLER_C11
#  define static_assert _Static_assert
# endif
#endif

#undef assert
#ifdef NDEBUG
# define assert(expression) ((void) 0)
#else
# define assert(expression) \
   ((expression) ? (void) 0 : __assert_fail (#expression, __FILE__, __LINE__, __func__))
#endif
