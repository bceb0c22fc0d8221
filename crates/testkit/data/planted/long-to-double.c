/* Needs a long long of more than 32 bits converted to double. */
#include <stdio.h>

volatile long long a = 0x123456789LL;

int main(void)
{
    double x = (double)a;
    printf("%.0f\n", x);
    return 0;
}
