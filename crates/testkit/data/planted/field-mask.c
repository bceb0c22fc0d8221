/* Needs a bit-field of more than one byte set when its lowest bit was set. */
#include <stdio.h>

struct { int f : 13; int g : 19; } s = { 1, 77 };
volatile int a = 6;

int main(void)
{
    s.f = a;
    printf("%d %d\n", s.f, s.g);
    return 0;
}
