/* Has a switch. */
#include <stdio.h>

volatile int a = 3;

int main(void)
{
    switch (a) {
    case 3: printf("three\n"); break;
    default: printf("other\n");
    }
    return 0;
}
