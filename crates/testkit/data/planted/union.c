/* Has a union. */
#include <stdio.h>

union { unsigned u; unsigned char c; } volatile x;

int main(void)
{
    x.u = 3;
    printf("%u\n", x.u);
    return 0;
}
