// RUN: check --print --expand %
// NEEDS: gcc
// STDOUT-HAS: int puts(const char *
#include <stdio.h>
int main(void) { return puts("x") < 0; }
