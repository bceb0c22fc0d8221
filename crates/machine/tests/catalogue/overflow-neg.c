//=== fail: absolute value by hand
#include <limits.h>
#include <stdio.h>
volatile int low = INT_MIN;
__attribute__((noinline)) static int magnitude(int x) {
    return x < 0 ? -x : x; // UB
}
int main(void) {
    printf("%d\n", magnitude(low) < 0);
    return 0;
}
//=== fail: negated in place through a pointer
// exploited
#include <limits.h>
#include <stdio.h>
__attribute__((noinline)) static int turn(long *p) {
    if (*p >= 0)
        return 0;
    *p = -*p; // UB
    return *p > 0;
}
int main(void) {
    long v = LONG_MIN;
    printf("%d\n", turn(&v));
    return 0;
}
//=== fail: compared with its negative
// exploited
#include <limits.h>
#include <stdio.h>
struct move { int dx; } moves[2] = { { 3 }, { INT_MIN } };
__attribute__((noinline)) static int is_zero(const struct move *m) {
    return -m->dx == m->dx; // UB
}
int main(void) {
    printf("%d\n", is_zero(&moves[1]));
    return 0;
}
//=== fail: in a macro that negates
// exploited
#include <limits.h>
#include <stdio.h>
#define ABS(x) ((x) < 0 ? -(x) : (x))
int main(void) {
    int i, bad = 0;
    for (i = 0; i < 2; i++) {
        int v = i ? INT_MIN : -5;
        int m = ABS(v); // UB
        if (m < 0)
            bad++;
    }
    printf("%d\n", bad);
    return 0;
}
//=== pass: the smallest value but one
#include <limits.h>
volatile int low = INT_MIN + 1;
int main(void) { return -low != INT_MAX; }
//=== pass: unsigned negation wraps
#include <limits.h>
volatile unsigned u = 2147483648u;
int main(void) {
    unsigned one = 1, v = u;
    return -v != v || -one != UINT_MAX;
}
//=== pass: the smallest short is negated as int
volatile short s = -32768;
volatile signed char c = -128;
int main(void) {
    short t = -s;
    return -s != 32768 || t != -32768 || -c != 128;
}
//=== pass: minus zero of an integer
int main(void) {
    int z = 0;
    return -z != 0;
}
