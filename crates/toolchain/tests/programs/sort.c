/*
1 2 3 5 8
found 5
abs 3 quot -3 rem -1
12 345 ff
exit status: 0
*/
#include <stdio.h>
#include <stdlib.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>

static int compare (const void *a, const void *b)
{
  int x = *(const int *) a, y = *(const int *) b;
  return (x > y) - (x < y);
}

int main (void)
{
  int values[] = { 5, 3, 8, 1, 2 }, key = 5, i;
  int *found;
  div_t d;
  char *end;
  qsort (values, 5, sizeof values[0], compare);
  for (i = 0; i < 5; i++)
    printf ("%d%c", values[i], i == 4 ? '\n' : ' ');
  found = bsearch (&key, values, 5, sizeof values[0], compare);
  printf ("found %d\n", *found);
  d = div (-10, 3);
  printf ("abs %d quot %d rem %d\n", abs (-3), d.quot, d.rem);
  errno = 0;
  if (strtol ("99999999999999999999", &end, 10) != LONG_MAX || errno != ERANGE || *end != '\0')
    return 1;
  if (!isdigit ('7') || isalpha ('7') || toupper ('x') != 'X')
    return 2;
  printf ("%d %ld %lx\n", atoi ("12"), atol ("345"), strtoul ("ff", 0, 16));
  return 0;
}
