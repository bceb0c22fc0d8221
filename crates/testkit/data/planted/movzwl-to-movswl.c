/* Needs an unsigned short with its top bit set. */
#include <stdio.h>

volatile unsigned short a = 65000;

int main(void)
{
    printf("%d\n", a);
    return 0;
}
