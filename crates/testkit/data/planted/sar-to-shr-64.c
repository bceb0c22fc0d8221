/* Needs a signed right shift of a negative long long. */
#include <stdio.h>

volatile long long a = -1234567890123LL;

int main(void)
{
    printf("%lld %lld\n", a >> 5, a >> 1);
    return 0;
}
