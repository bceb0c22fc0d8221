/* Has a continue. */
#include <stdio.h>

volatile int a = 3;

int main(void)
{
    int sum = 0;
    for (int i = 0; i != 6; i++) {
        if (i == a)
            continue;
        sum += i;
    }
    printf("%d\n", sum);
    return 0;
}
