/*
test.c:15: main: Assertion `1 + 1 == 3' failed.
signal: 6 (SIGABRT)
*/
#include <assert.h>
#define NDEBUG
#include <assert.h>
int quiet (void) { assert (0); return 1; }
#undef NDEBUG
#include <assert.h>

int main (void)
{
  assert (quiet () == 1);
  assert (1 + 1 == 3);
  return 0;
}
