/* Needs a comparison with a NaN. */
#include <stdio.h>

volatile double zero = 0.0;

int main(void)
{
    double nan = zero / zero;
    int same = nan == nan;
    if (nan == zero)
        printf("equal to zero\n");
    printf("%d\n", same);
    return 0;
}
