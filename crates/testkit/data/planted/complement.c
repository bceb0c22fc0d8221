/* Has a complement. */
#include <stdio.h>

volatile int a = 3;

int main(void)
{
    printf("%d\n", ~a);
    return 0;
}
