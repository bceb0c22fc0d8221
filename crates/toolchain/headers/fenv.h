/* C17 7.6, as x86 has it. The rounding direction is always to nearest: another is refused where it is set. */
#ifndef __HOWLER_FENV_H
#define __HOWLER_FENV_H
#include <howler/features.h>

#define FE_INVALID 0x01
#define FE_DIVBYZERO 0x04
#define FE_OVERFLOW 0x08
#define FE_UNDERFLOW 0x10
#define FE_INEXACT 0x20
#define FE_ALL_EXCEPT 0x3d

#define FE_TONEAREST 0
#define FE_DOWNWARD 0x400
#define FE_UPWARD 0x800
#define FE_TOWARDZERO 0xc00

typedef unsigned short fexcept_t;
typedef struct
{
#ifdef __HOWLER_LP64
  int __words[8];
#else
  int __words[7];
#endif
} fenv_t;
#define FE_DFL_ENV ((const fenv_t *) -1)

int feclearexcept (int __which);
int fegetexceptflag (fexcept_t *__to, int __which);
int feraiseexcept (int __which);
int fesetexceptflag (const fexcept_t *__from, int __which);
int fetestexcept (int __which);
int fegetround (void);
int fesetround (int __direction);
int fegetenv (fenv_t *__to);
int feholdexcept (fenv_t *__to);
int fesetenv (const fenv_t *__from);
int feupdateenv (const fenv_t *__from);

#endif
