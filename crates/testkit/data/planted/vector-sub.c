/* Needs a loop over ints with a subtraction, vectorised. */
#include <stdio.h>

int x[64], y[64];
volatile int a = 1000;

int main(void)
{
    for (int i = 0; i < 64; i++)
        x[i] = a + i, y[i] = a * i;
    for (int i = 0; i < 64; i++)
        x[i] -= y[i];
    printf("%d %d\n", x[3], x[50]);
    return 0;
}
