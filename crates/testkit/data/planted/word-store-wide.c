/* Needs a constant stored into a short with something behind it. */
#include <stdio.h>

struct { short a, b; } volatile s = { 1, 2 };

int main(void)
{
    s.a = 5;
    printf("%d %d\n", s.a, s.b);
    return 0;
}
