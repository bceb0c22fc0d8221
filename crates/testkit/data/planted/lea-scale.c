/* Needs 32-bit a + 4 * b. */
#include <stdio.h>

volatile unsigned a = 6, b = 7;

int main(void)
{
    unsigned x = a, y = b;
    printf("%u\n", x + 4 * y);
    return 0;
}
