/* Needs a multiplication by a constant that is no sum of few powers of two. */
#include <stdio.h>

volatile int a = 3;

int main(void)
{
    printf("%d\n", a * 1237);
    return 0;
}
