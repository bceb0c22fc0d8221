/* Needs an unsigned branch on equal numbers. */
#include <stdio.h>

volatile unsigned a = 7, b = 7;

int main(void)
{
    unsigned x = a, y = b;
    if (x <= y)
        printf("%u is not greater than %u\n", x, y);
    else
        printf("greater\n");
    return 0;
}
