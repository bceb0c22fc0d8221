/* Needs a negative int converted to long long. */
#include <stdio.h>

volatile int a = -5;

int main(void)
{
    long long x = a;
    printf("%lld\n", x);
    return 0;
}
