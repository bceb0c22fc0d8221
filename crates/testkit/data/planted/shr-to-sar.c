/* Needs an unsigned right shift of a number with its top bit set. */
#include <stdio.h>

volatile unsigned a = 0xf0000000u;

int main(void)
{
    printf("%u\n", a >> 4);
    return 0;
}
