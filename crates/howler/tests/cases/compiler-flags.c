// RUN: check -std=c99 -m32 -O2 -Wall -g -c -U__linux__ %
// NEEDS: gcc
// STDOUT-HAS: compiler-flags.c: ok (
// STDERR-HAS: howler: note: these flags mean nothing here: -O2 -Wall -g -c
#if __STDC_VERSION__ != 199901L || defined __linux__
#error not as asked
#endif
_Static_assert(sizeof(long) == 4, "-m32");
