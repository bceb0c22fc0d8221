/* Needs a floating value whose fraction is more than a half, converted to an integer. */
#include <stdio.h>

volatile double a = 2.75;

int main(void)
{
    printf("%d\n", (int)a);
    return 0;
}
