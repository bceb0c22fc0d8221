/* Needs a signed right shift of a negative int (implementation-defined, arithmetic in gcc). */
#include <stdio.h>

volatile int a = -64;

int main(void)
{
    int x = a;
    printf("%d %d\n", x >> 3, x >> 1);
    return 0;
}
