/* Needs a loop over ints with a signed right shift, vectorised. */
#include <stdio.h>

int x[64];
volatile int a = -1000;

int main(void)
{
    for (int i = 0; i < 64; i++)
        x[i] = a + i;
    for (int i = 0; i < 64; i++)
        x[i] >>= 2;
    int sum = 0;
    for (int i = 0; i < 64; i++)
        sum ^= x[i];
    printf("%d %d\n", x[0], sum);
    return 0;
}
