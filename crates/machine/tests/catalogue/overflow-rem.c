//=== fail: remainder not used
// exploited
#include <limits.h>
#include <stdio.h>
volatile int low = INT_MIN, minus = -1;
int main(void) {
    int r = low % minus; // UB
    (void)r;
    puts("still here");
    return 0;
}
//=== fail: by a constant -1
// exploited
#include <limits.h>
#include <stdio.h>
__attribute__((noinline)) static int rest(int x) {
    return x % -1; // UB
}
int main(void) {
    printf("%d\n", rest(INT_MIN));
    return 0;
}
//=== fail: compound of a long behind a pointer
// exploited
#include <limits.h>
#include <stdio.h>
__attribute__((noinline)) static void into(long *p, const long *m) {
    *p %= *m; // UB
}
int main(void) {
    long v[2] = { LONG_MIN, -1 };
    into(&v[0], &v[1]);
    printf("%ld\n", v[0]);
    return 0;
}
//=== fail: is it divisible
// exploited
#include <limits.h>
#include <stdio.h>
static int divisors[] = { 2, 4, -1 };
int main(void) {
    int count = 0;
    for (int i = 0; i < 3; i++)
        count += INT_MIN % divisors[i] == 0; // UB
    printf("%d\n", count);
    return 0;
}
//=== pass: the smallest value by 1, 2 and -2
#include <limits.h>
volatile int low = INT_MIN, one = 1;
int main(void) { return low % one != 0 || low % -2 != 0 || low % 10 != -8; }
//=== pass: a short
volatile short low = -32768, minus = -1;
int main(void) { return low % minus != 0; }
//=== pass: others by -1
#include <limits.h>
volatile int top = INT_MAX, minus = -1;
int main(void) { return top % minus != 0 || (INT_MIN + 1) % minus != 0; }
//=== fail: -fwrapv does not help
// wrapv
#include <limits.h>
volatile int bottom = INT_MIN, minus = -1;
int main(void) {
    return bottom % minus; // UB
}
