/* Needs the idiom of a rotation. */
#include <stdio.h>

volatile unsigned a = 0x12345678u;

int main(void)
{
    unsigned x = a;
    printf("%x\n", (x << 8) | (x >> 24));
    return 0;
}
