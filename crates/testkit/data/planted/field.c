/* Has a bit-field of 13 bits. */
#include <stdio.h>

struct { unsigned f : 13; } volatile x;

int main(void)
{
    x.f = 5;
    printf("%d\n", x.f);
    return 0;
}
