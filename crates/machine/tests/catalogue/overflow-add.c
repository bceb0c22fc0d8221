//=== fail: a number plus one compared with itself
// exploited
#include <limits.h>
#include <stdio.h>
volatile int big = INT_MAX;
__attribute__((noinline)) static int grows(int x) {
    return x + 1 > x; // UB
}
int main(void) {
    printf("%d\n", grows(big));
    return 0;
}
//=== fail: counter of a loop that adds one
// exploited
#include <limits.h>
#include <stdio.h>
int main(void) {
    int n = 0;
    for (int i = INT_MAX - 2; i >= 0; i = i + 1) { // UB
        if (++n > 5)
            break;
    }
    printf("%d\n", n);
    return 0;
}
//=== fail: checked after the addition
// exploited
#include <limits.h>
#include <stdio.h>
struct account { int balance; };
__attribute__((noinline)) static int deposit(struct account *a, int amount) {
    if (a->balance < 0 || amount < 0)
        return 1;
    a->balance += amount; // UB
    return a->balance < 0 ? 2 : 0;
}
int main(void) {
    struct account a = { INT_MAX - 10 };
    printf("%d\n", deposit(&a, 100));
    return 0;
}
//=== fail: long, through a macro
// exploited
#include <limits.h>
#include <stdio.h>
#define SUM(a, b) ((a) + (b))
volatile long most = LONG_MAX;
int main(void) {
    long x = most;
    if (SUM(x, 1) < x) // UB
        puts("wrapped");
    else
        puts("larger");
    return 0;
}
//=== fail: sum of two smallest values
// exploited
#include <limits.h>
#include <stdio.h>
int values[3] = { INT_MIN, INT_MIN, 7 };
__attribute__((noinline)) static int both_negative(int a, int b) {
    if (a < 0 && b < 0) {
        int c = a + b; // UB
        return c < 0;
    }
    return 2;
}
int main(void) {
    printf("%d\n", both_negative(values[0], values[1]));
    return 0;
}
//=== pass: the largest sum that fits
#include <limits.h>
volatile int big = INT_MAX - 1;
int main(void) {
    int x = big + 1;
    return x != INT_MAX || INT_MIN + INT_MAX != -1;
}
//=== pass: unsigned addition wraps
#include <limits.h>
volatile unsigned big = UINT_MAX;
int main(void) {
    unsigned x = big;
    return x + 1 != 0 || x + 1 > x;
}
//=== pass: narrow types are added as int and wrap when stored
volatile short s = 32767;
volatile signed char c = 127;
int main(void) {
    short t = s + 1;
    signed char d = c;
    d += 1;
    return t != -32768 || s + 1 != 32768 || d != -128;
}
//=== pass: widened before the addition
#include <limits.h>
volatile int big = INT_MAX;
int main(void) {
    int b = big;
    long long x = (long long)b + b;
    return x != 4294967294LL || big + 1LL != 2147483648LL;
}
//=== pass: an int and an unsigned are added as unsigned
#include <limits.h>
int main(void) {
    int a = INT_MAX;
    unsigned b = 1;
    return a + b != 2147483648u;
}
