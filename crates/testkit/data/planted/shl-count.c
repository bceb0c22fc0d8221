/* Needs a left shift by a constant. */
#include <stdio.h>

volatile unsigned a = 5;

int main(void)
{
    printf("%u\n", a << 7);
    return 0;
}
