/* Has a goto. */
#include <stdio.h>

volatile int a = 3;

int main(void)
{
    int i = 0;
again:
    if (++i != a)
        goto again;
    printf("%d\n", i);
    return 0;
}
