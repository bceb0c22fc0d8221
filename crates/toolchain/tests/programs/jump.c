/*
first
back with 3
exit status: 0
*/
#include <setjmp.h>
#include <stdio.h>

static struct { int before; jmp_buf place; int after; } guarded = { 11, { { { 0 }, 0, { 0 } } }, 22 };

static void leave (int depth)
{
  if (depth == 0)
    longjmp (guarded.place, 3);
  leave (depth - 1);
}

int main (void)
{
  volatile int round = 0;
  int value = setjmp (guarded.place);
  if (round++ == 0)
    {
      puts ("first");
      leave (10);
    }
  printf ("back with %d\n", value);
  return guarded.before != 11 || guarded.after != 22;
}
