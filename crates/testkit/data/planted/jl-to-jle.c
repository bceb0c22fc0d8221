/* Needs a loop whose bound is not a constant. */
#include <stdio.h>

volatile int n = 5;

int main(void)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += i;
    printf("%d\n", sum);
    return 0;
}
