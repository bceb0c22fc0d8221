/* Needs the count of leading or trailing zeros. */
#include <stdio.h>

volatile unsigned a = 40;

int main(void)
{
    unsigned x = a;
    printf("%d %d\n", __builtin_clz(x), __builtin_ctz(x));
    return 0;
}
