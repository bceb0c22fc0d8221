/* Has a do loop. */
#include <stdio.h>

volatile int a = 3;

int main(void)
{
    int i = 0;
    do {
        i++;
    } while (i != a);
    printf("%d\n", i);
    return 0;
}
