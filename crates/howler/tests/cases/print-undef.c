// a name taken back from a header is free in the print too
// RUN: check --print %
// NEEDS: gcc
// STDOUT-HAS: int EOF = 3;
// STDOUT-HAS: printf(
#include <stdio.h>
#undef EOF
int EOF = 3;
