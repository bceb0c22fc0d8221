/* Has a bit-field of three bits. */
#include <stdio.h>

struct { unsigned f : 3; } volatile x;

int main(void)
{
    x.f = 5;
    printf("%d\n", x.f);
    return 0;
}
