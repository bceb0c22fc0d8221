/* Needs the count of leading or trailing zeros. */
#include <stdio.h>

volatile unsigned a = 40;

int main(void)
{
    printf("%d %d\n", __builtin_clz(a), __builtin_ctz(a));
    return 0;
}
