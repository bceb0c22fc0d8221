/* Needs the constant 9 in a function of 30 instructions. */
#include <stdio.h>

volatile int a = 3, b = 4;

int main(void)
{
    int x = a, y = b;
    x += y * x;
    y += x - a;
    x ^= y + a + b;
    if (x == 9)
        y += 9;
    x += 9;
    printf("%d %d %d %d\n", x, y, a, b);
    return 0;
}
