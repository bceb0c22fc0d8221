/* Needs an unsigned branch on equal numbers. */
#include <stdio.h>

volatile unsigned a = 12;

int main(void)
{
    unsigned x = a;
    if (x <= 12)
        printf("%u is not greater\n", x);
    else
        printf("%u is greater\n", x);
    return 0;
}
