// feature test macros and includes survive a print
// RUN: check --print %
// NEEDS: gcc
// STDOUT-HAS: #define _GNU_SOURCE
// STDOUT-HAS: #include <string.h>
// STDOUT-HAS: mempcpy
#define _GNU_SOURCE
#include <string.h>
char *f(char *to, const char *from) { return mempcpy(to, from, 3); }
