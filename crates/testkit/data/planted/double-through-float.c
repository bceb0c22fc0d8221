/* Needs a sum of doubles that is no float. */
#include <stdio.h>

volatile double a = 1.0, b = 1e-12;

int main(void)
{
    printf("%.17g\n", a + b);
    return 0;
}
