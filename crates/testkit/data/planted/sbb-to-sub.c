/* Needs a subtraction in two words with a borrow: long long on i386. */
#include <stdio.h>

volatile unsigned long long a = 0x100000000ULL, b = 1;

int main(void)
{
    printf("%llu\n", a - b);
    return 0;
}
