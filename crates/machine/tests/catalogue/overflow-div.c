//=== fail: quotient not used
// exploited
#include <limits.h>
#include <stdio.h>
volatile int low = INT_MIN, minus = -1;
int main(void) {
    int q = low / minus; // UB
    (void)q;
    puts("still here");
    return 0;
}
//=== fail: divided by a constant -1
// exploited
#include <limits.h>
#include <stdio.h>
volatile int low = INT_MIN;
__attribute__((noinline)) static int flip(int x) {
    if (x > 0)
        return 0;
    return x / -1 >= 0; // UB
}
int main(void) {
    printf("%d\n", flip(low));
    return 0;
}
//=== fail: compound, long, through a struct
// exploited
#include <limits.h>
#include <stdio.h>
struct ratio { long num, den; };
__attribute__((noinline)) static void reduce(struct ratio *r) {
    r->num /= r->den; // UB
}
int main(void) {
    struct ratio r = { LONG_MIN, -1 };
    reduce(&r);
    puts("reduced");
    return 0;
}
//=== fail: product and quotient
#include <limits.h>
#include <stdio.h>
volatile int d = -1;
int main(void) {
    int n = INT_MIN, x = d;
    int q = n / x; // UB
    printf("%d\n", q * x == n);
    return 0;
}
//=== pass: the smallest value by 1 and by -2
#include <limits.h>
volatile int low = INT_MIN, one = 1, two = -2;
int main(void) { return low / one != INT_MIN || low / two != 1073741824; }
//=== pass: a short is divided as int
volatile short low = -32768, minus = -1;
int main(void) {
    short wrapped = low / minus;
    return low / minus != 32768 || wrapped != -32768;
}
//=== pass: unsigned
#include <limits.h>
volatile unsigned low = 2147483648u;
int main(void) { return low / -1u != 0 || (long long)INT_MIN / -1 != 2147483648LL; }
//=== pass: the largest value by -1
#include <limits.h>
volatile int top = INT_MAX, minus = -1;
int main(void) { return top / minus != -2147483647; }
//=== fail: -fwrapv does not help
// wrapv
#include <limits.h>
volatile int bottom = INT_MIN, minus = -1;
int main(void) {
    return bottom / minus; // UB
}
