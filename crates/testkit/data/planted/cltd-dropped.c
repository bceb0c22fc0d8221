/* Needs a signed division of a negative number. */
#include <stdio.h>

volatile int a = -100, b = 1000;

int main(void)
{
    /* The divisor is large, so that the wrong quotient still fits. */
    int x = a, y = b * 1000;
    printf("%d %d\n", x / y, x % y);
    return 0;
}
