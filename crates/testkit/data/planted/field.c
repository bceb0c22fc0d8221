/* Has a bit-field. */
#include <stdio.h>

struct { unsigned f : 3; } volatile x;

int main(void)
{
    x.f = 5;
    printf("%d\n", x.f);
    return 0;
}
