/*
hello 42 -1 ff
3.50 1e+10 x   |
-5000000000 18446744073709551615 0
n=3 abc
A!
exit status: 7
*/
#include <stdio.h>
#include <string.h>
#include <inttypes.h>
#include <stdlib.h>

int main (void)
{
  char text[8];
  int64_t big = INT64_C (-5000000000);
  uint64_t all = UINT64_MAX;
  size_t none = 0;
  printf ("hello %d %d %x\n", 42, -1, 0xffu);
  fprintf (stdout, "%.2f %g %-4s|\n", 3.5, 1e10, "x");
  printf ("%" PRId64 " %" PRIu64 " %zu\n", big, all, none);
  printf ("n=%d ", snprintf (text, sizeof text, "%s", "abc"));
  puts (text);
  putchar ('A');
  putc ('!', stdout);
  fputs ("\n", stdout);
  fflush (stdout);
  exit (7);
}
