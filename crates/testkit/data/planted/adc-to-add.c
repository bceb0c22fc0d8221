/* Needs an addition in two words with a carry: long long on i386. */
#include <stdio.h>

volatile unsigned long long a = 0xffffffffULL, b = 1;

int main(void)
{
    printf("%llu\n", a + b);
    return 0;
}
