//=== fail: a value no case names
// differs
#include <stdio.h>
volatile int in = 3;
__attribute__((noinline)) static int colour(int c) {
    switch (c) {
    case 0: return 10;
    case 1: return 11;
    case 2: return 12;
    }
    __builtin_unreachable(); // UB
}
int main(void) {
    printf("%d\n", colour(in) != 10);
    return 0;
}
//=== fail: a promise that does not hold
// exploited
#include <stdio.h>
volatile int in = -5;
__attribute__((noinline)) static int half(int n) {
    if (n < 0)
        __builtin_unreachable(); // UB
    return n < 0 ? -1 : 1;
}
int main(void) {
    printf("%d\n", half(in));
    return 0;
}
//=== fail: assumption in a macro
// exploited
#include <stdio.h>
#define ASSUME(c) do { if (!(c)) __builtin_unreachable(); } while (0)
static int list[4] = { 1, 2, 3, 4 };
__attribute__((noinline)) static int sum(const int *a, int n) {
    int s = 0;
    ASSUME(n == 4); // UB
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}
int main(void) {
    printf("%d\n", sum(list, 2));
    return 0;
}
//=== pass: promises that hold
volatile int in = 2;
static int f(int n) {
    if (n < 0 || n > 3)
        __builtin_unreachable();
    switch (n & 1) {
    case 0: return 5;
    case 1: return 6;
    default: __builtin_unreachable();
    }
}
int main(void) { return f(in) != 5; }
//=== pass: after a return
static int f(int n) {
    return n + 1;
    __builtin_unreachable();
}
int main(void) { return f(1) != 2; }
//=== pass: in an operand that is not evaluated
volatile int yes = 1;
int main(void) {
    int n = 0;
    yes || (__builtin_unreachable(), 1);
    n = sizeof(({ __builtin_unreachable(); 1; }));
    return n != sizeof(int);
}
