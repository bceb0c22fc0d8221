/* Needs an exclusive or of two numbers with a bit in common. */
#include <stdio.h>

volatile int a = 6, b = 12;

int main(void)
{
    int x = a, y = b;
    printf("%d\n", x ^ y);
    return 0;
}
