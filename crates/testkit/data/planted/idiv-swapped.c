/* Needs a division by a variable. */
#include <stdio.h>

volatile int a = 100, b = 7;

int main(void)
{
    int x = a, y = b;
    printf("%d\n", x / y);
    return 0;
}
