/* Has an assignment by &=. */
#include <stdio.h>

volatile int a = 3;

int main(void)
{
    int x = 6;
    x &= a;
    printf("%d\n", x);
    return 0;
}
