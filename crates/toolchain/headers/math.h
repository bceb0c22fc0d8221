/* C17 7.12, for the C locale's world: no floating environment, so the comparison macros are plain operators.
   HUGE_VAL, INFINITY and NAN are builtins because no constant in the text has their values without a warning;
   tcc does not know them. */
#ifndef __HOWLER_MATH_H
#define __HOWLER_MATH_H
#include <howler/features.h>

#define HUGE_VAL (__builtin_huge_val ())

/* A function in its three types; the float and long double ones came with C99. */
#ifdef __HOWLER_C99
# define __HOWLER_1(name) \
   double name (double __x); float name##f (float __x); long double name##l (long double __x);
# define __HOWLER_2(name) \
   double name (double __x, double __y); \
   float name##f (float __x, float __y); \
   long double name##l (long double __x, long double __y);
#else
# define __HOWLER_1(name) double name (double __x);
# define __HOWLER_2(name) double name (double __x, double __y);
#endif

__HOWLER_1 (acos)
__HOWLER_1 (asin)
__HOWLER_1 (atan)
__HOWLER_2 (atan2)
__HOWLER_1 (ceil)
__HOWLER_1 (cos)
__HOWLER_1 (cosh)
__HOWLER_1 (exp)
__HOWLER_1 (fabs)
__HOWLER_1 (floor)
__HOWLER_2 (fmod)
__HOWLER_1 (log)
__HOWLER_1 (log10)
__HOWLER_2 (pow)
__HOWLER_1 (sin)
__HOWLER_1 (sinh)
__HOWLER_1 (sqrt)
__HOWLER_1 (tan)
__HOWLER_1 (tanh)
double frexp (double __x, int *__exponent);
double ldexp (double __x, int __exponent);
double modf (double __x, double *__whole);

#ifdef __HOWLER_C99

typedef float float_t;
typedef double double_t;

#define HUGE_VALF (__builtin_huge_valf ())
#define HUGE_VALL (__builtin_huge_vall ())
#define INFINITY (__builtin_inff ())
#define NAN (__builtin_nanf (""))

#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4

#define FP_ILOGB0 (-2147483647 - 1)
#define FP_ILOGBNAN (-2147483647 - 1)

#define MATH_ERRNO 1
#define MATH_ERREXCEPT 2
#define math_errhandling (MATH_ERRNO | MATH_ERREXCEPT)

float frexpf (float __x, int *__exponent);
long double frexpl (long double __x, int *__exponent);
float ldexpf (float __x, int __exponent);
long double ldexpl (long double __x, int __exponent);
float modff (float __x, float *__whole);
long double modfl (long double __x, long double *__whole);

__HOWLER_1 (acosh)
__HOWLER_1 (asinh)
__HOWLER_1 (atanh)
__HOWLER_1 (cbrt)
__HOWLER_2 (copysign)
__HOWLER_1 (erf)
__HOWLER_1 (erfc)
__HOWLER_1 (exp2)
__HOWLER_1 (expm1)
__HOWLER_2 (fdim)
__HOWLER_2 (fmax)
__HOWLER_2 (fmin)
__HOWLER_2 (hypot)
__HOWLER_1 (lgamma)
__HOWLER_1 (log1p)
__HOWLER_1 (log2)
__HOWLER_1 (logb)
__HOWLER_1 (nearbyint)
__HOWLER_2 (nextafter)
__HOWLER_2 (remainder)
__HOWLER_1 (rint)
__HOWLER_1 (round)
__HOWLER_1 (tgamma)
__HOWLER_1 (trunc)

double fma (double __x, double __y, double __z);
float fmaf (float __x, float __y, float __z);
long double fmal (long double __x, long double __y, long double __z);
int ilogb (double __x);
int ilogbf (float __x);
int ilogbl (long double __x);
long lrint (double __x);
long lrintf (float __x);
long lrintl (long double __x);
long long llrint (double __x);
long long llrintf (float __x);
long long llrintl (long double __x);
long lround (double __x);
long lroundf (float __x);
long lroundl (long double __x);
long long llround (double __x);
long long llroundf (float __x);
long long llroundl (long double __x);
double nan (const char *__tag);
float nanf (const char *__tag);
long double nanl (const char *__tag);
double nexttoward (double __x, long double __y);
float nexttowardf (float __x, long double __y);
long double nexttowardl (long double __x, long double __y);
double remquo (double __x, double __y, int *__quotient);
float remquof (float __x, float __y, int *__quotient);
long double remquol (long double __x, long double __y, int *__quotient);
double scalbn (double __x, int __exponent);
float scalbnf (float __x, int __exponent);
long double scalbnl (long double __x, int __exponent);
double scalbln (double __x, long __exponent);
float scalblnf (float __x, long __exponent);
long double scalblnl (long double __x, long __exponent);

/* Classification (7.12.3) by glibc's functions for each type. */
int __fpclassify (double __x);
int __fpclassifyf (float __x);
int __fpclassifyl (long double __x);
int __signbit (double __x);
int __signbitf (float __x);
int __signbitl (long double __x);
int __isnan (double __x);
int __isnanf (float __x);
int __isnanl (long double __x);
int __isinf (double __x);
int __isinff (float __x);
int __isinfl (long double __x);
int __finite (double __x);
int __finitef (float __x);
int __finitel (long double __x);

#define __HOWLER_BY_SIZE(name, x) \
  (sizeof (x) == sizeof (float) ? name##f (x) : sizeof (x) == sizeof (double) ? name (x) : name##l (x))
#define fpclassify(x) __HOWLER_BY_SIZE (__fpclassify, x)
#define signbit(x) __HOWLER_BY_SIZE (__signbit, x)
#define isnan(x) __HOWLER_BY_SIZE (__isnan, x)
#define isinf(x) __HOWLER_BY_SIZE (__isinf, x)
#define isfinite(x) __HOWLER_BY_SIZE (__finite, x)
#define isnormal(x) (fpclassify (x) == FP_NORMAL)

/* Comparison (7.12.14). The operators differ only in the exception flags, which nothing here can read. */
#define isgreater(x, y) ((x) > (y))
#define isgreaterequal(x, y) ((x) >= (y))
#define isless(x, y) ((x) < (y))
#define islessequal(x, y) ((x) <= (y))
#define islessgreater(x, y) (__builtin_islessgreater (x, y))
#define isunordered(x, y) (__builtin_isunordered (x, y))

#endif

#undef __HOWLER_1
#undef __HOWLER_2

#ifdef __HOWLER_POSIX
# define M_E 2.7182818284590452354
# define M_LOG2E 1.4426950408889634074
# define M_LOG10E 0.43429448190325182765
# define M_LN2 0.69314718055994530942
# define M_LN10 2.30258509299404568402
# define M_PI 3.14159265358979323846
# define M_PI_2 1.57079632679489661923
# define M_PI_4 0.78539816339744830962
# define M_1_PI 0.31830988618379067154
# define M_2_PI 0.63661977236758134308
# define M_2_SQRTPI 1.12837916709551257390
# define M_SQRT2 1.41421356237309504880
# define M_SQRT1_2 0.70710678118654752440
#endif

#endif
