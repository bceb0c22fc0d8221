/* Needs a choice by <= or > without a branch. */
#include <stdio.h>

volatile int a = 3, b = 8;

int main(void)
{
    int x = a, y = b;
    int chosen = x <= y ? a : b;
    printf("%d\n", x <= y ? x + 5 : y);
    printf("%d\n", chosen);
    return 0;
}
