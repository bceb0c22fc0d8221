/* No planted fault shows here: nothing is shifted, divided, widened or compared for order. */
#include <stdio.h>

volatile int a = 20, b = 22;

int main(void)
{
    printf("%d\n", a + b);
    return 0;
}
