/* Needs shifts whose result is stored in a narrow type, so that gcc shifts in that width. */
#include <stdio.h>

volatile short a = -300;
volatile signed char b = -100;
volatile int n = 3;

int main(void)
{
    short x = a;
    signed char y = b;
    x >>= 2;
    y >>= 1;
    printf("%d %d\n", x, y);
    return 0;
}
