/* Needs a comparison with a NaN. */
#include <stdio.h>

volatile double zero = 0.0;

int main(void)
{
    double x = zero;
    double nan = x / x;
    int same = nan == nan;
    if (nan == x)
        printf("equal to zero\n");
    printf("%d\n", same);
    return 0;
}
