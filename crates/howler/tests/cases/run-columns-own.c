// RUN: run %
// STATUS: 120
// NEEDS: gcc
// STDERR-HAS: run-columns-own.c:9:41: error: undefined behaviour: division by zero
#include <stddef.h>

int main(void)
{
    int z = 0; int *p = NULL; int q = 1 / z; int *r = NULL;
    return p == r ? q : 1;
}
