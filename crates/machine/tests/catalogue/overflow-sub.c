//=== fail: a difference compared with zero
// exploited
#include <limits.h>
#include <stdio.h>
volatile int low = INT_MIN;
__attribute__((noinline)) static int less(int a, int b) {
    return a - b < 0; // UB
}
int main(void) {
    printf("%d\n", less(low, 1));
    return 0;
}
//=== fail: a number minus one compared with itself
// exploited
#include <limits.h>
#include <stdio.h>
struct node { long value; struct node *next; };
__attribute__((noinline)) static int shrinks(const struct node *n) {
    return n->next->value - 1 < n->next->value; // UB
}
int main(void) {
    struct node last = { LONG_MIN, 0 }, first = { 0, &last };
    printf("%d\n", shrinks(&first));
    return 0;
}
//=== fail: counting down past the smallest value
// exploited
#include <limits.h>
#include <stdio.h>
int main(void) {
    int n = 0;
    for (int i = INT_MIN + 3; i < 0; i -= 2) { // UB
        if (++n == 6)
            break;
    }
    printf("%d\n", n);
    return 0;
}
//=== fail: zero minus the smallest value
// exploited
#include <limits.h>
#include <stdio.h>
__attribute__((noinline)) static const char *sign(int x) {
    if (x >= 0)
        return "not negative";
    x = 0 - x; // UB
    return x > 0 ? "turned" : "stuck";
}
int main(void) {
    puts(sign(INT_MIN));
    return 0;
}
//=== fail: distance of the ends of a range
// exploited
#include <limits.h>
#include <stdio.h>
static int range[2] = { -2000000000, 2000000000 };
__attribute__((noinline)) static int width(int lo, int hi) {
    if (lo >= hi)
        return 0;
    int w = hi - lo; // UB
    return w > 0;
}
int main(void) {
    printf("%d\n", width(range[0], range[1]));
    return 0;
}
//=== pass: the smallest difference that fits
#include <limits.h>
volatile int low = -2147483647;
int main(void) {
    return low - 1 != INT_MIN || -1 - INT_MAX != INT_MIN || INT_MIN - INT_MIN != 0;
}
//=== pass: unsigned subtraction wraps
volatile unsigned one = 1;
int main(void) {
    unsigned x = one - 2;
    unsigned short s = 0;
    s -= 1;
    return x != 4294967295u || s != 65535;
}
//=== pass: bytes are subtracted as int
int main(void) {
    unsigned char a = 0, b = 255;
    return a - b != -255 || (unsigned char)(a - b) != 1;
}
//=== pass: compared without a subtraction
#include <limits.h>
volatile int low = INT_MIN;
static int compare(int a, int b) { return (a > b) - (a < b); }
int main(void) { return compare(low, INT_MAX) != -1; }
