/* Needs the store of a computed byte in a function of 60 instructions. */
#include <stdio.h>

volatile int a = 3, b = 4;
unsigned char bytes[16];

int main(void)
{
    int x = a, y = b;
    for (int i = 0; i < 16; i++) {
        x = x * 31 + y;
        y = y * 17 + 5;
        if (x & 1)
            y ^= a;
        if (y & 4)
            x += b;
        x &= 0xffff;
        y &= 0xffff;
        bytes[i] = (unsigned char)(x ^ y);
    }
    for (int i = 0; i < 16; i++)
        printf("%d ", bytes[i]);
    printf("%d %d %d %d\n", x, y, x / 7, y % 11);
    printf("%d %d\n", x * 3 + a, y * 5 + b);
    printf("%d %d\n", x * 9 + a, y * 7 + b);
    return 0;
}
