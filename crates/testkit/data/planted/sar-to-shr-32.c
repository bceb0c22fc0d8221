/* Needs a signed right shift of a negative int (implementation-defined, arithmetic in gcc). */
#include <stdio.h>

volatile int a = -64;

int main(void)
{
    printf("%d %d\n", a >> 3, a >> 1);
    return 0;
}
