/*
sum 10 dsum 6.5
[x=7 y=abc]
exit status: 0
*/
#include <stdarg.h>
#include <stdio.h>
#include <stddef.h>

static int sum (int count, ...)
{
  va_list list, copy;
  int total = 0, i;
  va_start (list, count);
  va_copy (copy, list);
  for (i = 0; i < count; i++)
    total += va_arg (list, int);
  va_end (list);
  if (va_arg (copy, int) != 1)
    total = -1;
  va_end (copy);
  return total;
}

static double dsum (int count, ...)
{
  va_list list;
  double total = 0;
  va_start (list, count);
  while (count-- > 0)
    total += va_arg (list, double);
  va_end (list);
  return total;
}

static void wrapped (const char *format, ...)
{
  va_list list;
  va_start (list, format);
  vprintf (format, list);
  va_end (list);
}

struct pair { char a; int b; };

int main (void)
{
  printf ("sum %d dsum %.1f\n", sum (4, 1, 2, 3, 4), dsum (3, 1.5, 2.0, 3.0));
  wrapped ("[x=%d y=%s]\n", 7, "abc");
  return offsetof (struct pair, b) != 4;
}
