/* C17 7.3. tcc has no complex types. */
#ifndef __HOWLER_COMPLEX_H
#define __HOWLER_COMPLEX_H
#include <howler/features.h>

#define complex _Complex
#define _Complex_I (__extension__ 1.0iF)
#undef I
#define I _Complex_I
#ifdef __HOWLER_C11
# define CMPLX(x, y) __builtin_complex ((double) (x), (double) (y))
# define CMPLXF(x, y) __builtin_complex ((float) (x), (float) (y))
# define CMPLXL(x, y) __builtin_complex ((long double) (x), (long double) (y))
#endif

#define __HOWLER_1(name) \
  double _Complex name (double _Complex __z); \
  float _Complex name##f (float _Complex __z); \
  long double _Complex name##l (long double _Complex __z);
#define __HOWLER_R(name) \
  double name (double _Complex __z); \
  float name##f (float _Complex __z); \
  long double name##l (long double _Complex __z);

__HOWLER_1 (cacos)
__HOWLER_1 (casin)
__HOWLER_1 (catan)
__HOWLER_1 (ccos)
__HOWLER_1 (csin)
__HOWLER_1 (ctan)
__HOWLER_1 (cacosh)
__HOWLER_1 (casinh)
__HOWLER_1 (catanh)
__HOWLER_1 (ccosh)
__HOWLER_1 (csinh)
__HOWLER_1 (ctanh)
__HOWLER_1 (cexp)
__HOWLER_1 (clog)
__HOWLER_1 (csqrt)
__HOWLER_1 (conj)
__HOWLER_1 (cproj)
__HOWLER_R (cabs)
__HOWLER_R (carg)
__HOWLER_R (cimag)
__HOWLER_R (creal)
double _Complex cpow (double _Complex __x, double _Complex __y);
float _Complex cpowf (float _Complex __x, float _Complex __y);
long double _Complex cpowl (long double _Complex __x, long double _Complex __y);

#undef __HOWLER_1
#undef __HOWLER_R

#endif
