/* Has a break. */
#include <stdio.h>

volatile int n = 5;

int main(void)
{
    int i = 0;
    for (;;) {
        if (i == n)
            break;
        i++;
    }
    printf("%d\n", i);
    return 0;
}
