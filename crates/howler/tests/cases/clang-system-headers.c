// RUN: check --cc clang-16 --headers system %
// NEEDS: clang-16
// STDOUT-HAS: clang-system-headers.c: ok (
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) { printf("%f\n", sin(atof("1"))); }
