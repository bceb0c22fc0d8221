/* Needs an unsigned division by a constant, or a long product, of a number with its top bit set. */
#include <stdio.h>

volatile unsigned long long a = 0xfedcba9876543210ULL;

int main(void)
{
    printf("%llu\n", a / 10);
    return 0;
}
