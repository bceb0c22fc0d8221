// RUN: check --json --target i386 --std gnu89 %
// NEEDS: gcc
// STDOUT-HAS: "headers":["ours"]
#include <limits.h>
#if LONG_MAX != 2147483647 || defined __STDC_VERSION__
#error wrong target or standard
#endif
