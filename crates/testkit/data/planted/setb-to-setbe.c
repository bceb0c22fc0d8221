/* Needs the value of an unsigned comparison of equal numbers. */
#include <stdio.h>

volatile unsigned a = 7, b = 7;

int main(void)
{
    unsigned x = a, y = b;
    int less = x < y;
    printf("%d\n", less);
    return 0;
}
