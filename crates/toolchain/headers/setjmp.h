/* C17 7.13. The buffer has the size and alignment of glibc's, and setjmp is the one that leaves signals alone. */
#ifndef __HOWLER_SETJMP_H
#define __HOWLER_SETJMP_H
#include <howler/features.h>

struct __jmp_buf_tag
{
#ifdef __HOWLER_LP64
  long __registers[8];
#else
  int __registers[6];
#endif
  int __mask_saved;
  unsigned long __mask[1024 / (8 * sizeof (unsigned long))];
};
typedef struct __jmp_buf_tag jmp_buf[1];

int _setjmp (struct __jmp_buf_tag __env[1]);
#define setjmp(env) _setjmp (env)
void longjmp (struct __jmp_buf_tag __env[1], int __value) __HOWLER_NORETURN;

#endif
