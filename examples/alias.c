#include <stdio.h>

__attribute__((noinline)) static int store(int *count, float *scale)
{
    *count = 1;
    *scale = 0;
    return *count;
}

int main(void)
{
    int x;
    printf("%d\n", store(&x, (float *)&x));
}
