/* Needs a negation. */
#include <stdio.h>

volatile int a = 6;

int main(void)
{
    printf("%d\n", -a);
    return 0;
}
