/* Has a for loop that sets two variables. */
#include <stdio.h>

volatile int n = 5;

int main(void)
{
    int i, j;
    for (i = 0, j = 9; i != n; i++)
        j += i;
    printf("%d\n", j);
    return 0;
}
