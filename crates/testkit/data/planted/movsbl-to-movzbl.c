/* Needs a negative signed char. */
#include <stdio.h>

volatile signed char a = -5;

int main(void)
{
    printf("%d\n", a);
    return 0;
}
