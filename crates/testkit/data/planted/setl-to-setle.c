/* Needs the value of a comparison of equal numbers. */
#include <stdio.h>

volatile int a = 7, b = 7;

int main(void)
{
    int x = a, y = b;
    int less = x < y;
    printf("%d\n", less);
    return 0;
}
