/* Needs a signed right shift of a negative long long. */
#include <stdio.h>

volatile long long a = -1234567890123LL;

int main(void)
{
    long long x = a;
    printf("%lld %lld\n", x >> 5, x >> 1);
    return 0;
}
