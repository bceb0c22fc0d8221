/*
1.414 8 -0 2.000
nan 1 inf 1 normal 1 zero 1 sign 1
1 0 1
strings hello, lloworld 5 0
exit status: 0
*/
#include <math.h>
#include <float.h>
#include <stdio.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

int main (void)
{
  char text[32] = "hello, ";
  volatile double zero = 0.0;
  volatile float big = FLT_MAX;
  bool yes = 2;
  printf ("%.3f %g %g %.3f\n", sqrt (2.0), pow (2, 3), floor (-0.0), (double) fabsf (-2.0f));
  printf ("nan %d inf %d normal %d zero %d sign %d\n", isnan (zero / zero) != 0, isinf (big * 10.0f * big) != 0,
          isnormal (1.0L), fpclassify (zero) == FP_ZERO, signbit (-zero) != 0);
  printf ("%d %d %d\n", isgreater (2.0, 1.0), isless (zero / zero, 1.0), yes);
  printf ("strings %s%s %d %d\n", text, strcat (strcpy (text + 16, "llo"), "world"), (int) strlen ("hello"),
          strcasecmp ("ABC", "abc"));
  return 0;
}
