/* Needs a choice by <= or > without a branch. */
#include <stdio.h>

volatile int a = 3, b = 8, c = 5, d = 6;

static __attribute__((noinline)) int choose(int x, int y, int p, int q)
{
    return x <= y ? p : q;
}

int main(void)
{
    printf("%d\n", choose(a, b, c, d));
    return 0;
}
