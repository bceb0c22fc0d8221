//=== fail: one shifted by minus one
#include <stdio.h>
__attribute__((noinline)) static int bit(int n) { return 1 << n; } // UB
int main(void) {
    printf("%d\n", bit(-1) != 0);
    return 0;
}
//=== fail: count from a difference
#include <stdio.h>
volatile int from = 4, to = 7;
int main(void) {
    unsigned x = 0xf0;
    int count = from - to;
    printf("%u\n", x >> count); // UB
    return 0;
}
//=== fail: compound shift of a long
// exploited
#include <stdio.h>
struct word { unsigned long bits; signed char by; };
static void rotate(struct word *w) {
    w->bits <<= w->by; // UB
}
int main(void) {
    struct word w = { 3, -2 };
    rotate(&w);
    printf("%lx\n", w.bits);
    return 0;
}
//=== fail: constant count in a loop
// exploited
#include <stdio.h>
int main(void) {
    unsigned sum = 0;
    for (int i = 2; i >= -2; i--)
        sum += 16u >> i; // UB
    printf("%u\n", sum);
    return 0;
}
//=== fail: checked after the shift
#include <stdio.h>
volatile int by = -3;
__attribute__((noinline)) static int guarded(int n) {
    int v = 8 >> n; // UB
    if (n < 0)
        return -1;
    return v & 0;
}
int main(void) {
    printf("%d\n", guarded(by));
    return 0;
}
//=== pass: shift by zero
volatile int none = 0;
int main(void) { return 5 << none != 5 || -5 >> none != -5; }
//=== pass: right shift of a negative value
volatile int x = -1, y = -8;
int main(void) { return x >> 1 != -1 || y >> 2 != -2; }
//=== pass: a negative byte made unsigned first
volatile signed char by = -29;
int main(void) { return 1u << (by & 31) != 8; }
