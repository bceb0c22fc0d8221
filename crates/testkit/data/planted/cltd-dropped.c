/* Needs a signed division of a negative number. */
#include <stdio.h>

volatile int a = -100, b = 1000;

int main(void)
{
    /* The divisor is large, so that the wrong quotient still fits. */
    printf("%d %d\n", a / (b * 1000), a % (b * 1000));
    return 0;
}
