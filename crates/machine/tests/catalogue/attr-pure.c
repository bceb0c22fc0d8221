//=== fail: pure counts its calls
// exploited
#include <stdio.h>
static int calls;
__attribute__((pure, noinline)) static int next(int x) {
    calls++; // UB
    return x + 1;
}
int main(void) {
    int sum = next(1) + next(1) + next(1);
    printf("%d %d\n", sum, calls);
    return 0;
}
//=== fail: const reads a global that changes
// exploited
#include <stdio.h>
static int factor = 2;
__attribute__((const, noinline)) static int scale(int x) {
    return x * factor; // UB
}
int main(void) {
    int a = scale(3);
    factor = 5;
    int b = scale(3);
    printf("%d %d\n", a, b);
    return 0;
}
//=== fail: pure prints
// differs
#include <stdio.h>
__attribute__((pure, noinline)) static int loud(int x) {
    puts("called"); // UB
    return x;
}
int main(void) {
    loud(1);
    loud(1);
    return 0;
}
//=== fail: const reads through its argument
// exploited
#include <stdio.h>
struct box { int v; };
__attribute__((const, noinline)) static int get(const struct box *b) {
    return b->v; // UB
}
int main(void) {
    struct box b = { 1 };
    int first = get(&b);
    b.v = 2;
    printf("%d %d\n", first, get(&b));
    return 0;
}
//=== fail: pure writes through its argument
// differs
#include <stdio.h>
__attribute__((pure, noinline)) static int fill(int *p, int v) {
    *p = v; // UB
    return 0;
}
int main(void) {
    int x = 1;
    fill(&x, 5);
    printf("%d\n", x);
    return 0;
}
//=== pass: pure reads globals and arguments
static int factor = 2;
__attribute__((pure, noinline)) static int sum(const int *v, int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += v[i] * factor;
    return s;
}
int main(void) {
    int v[2] = { 1, 2 };
    int a = sum(v, 2);
    factor = 3;
    return a != 6 || sum(v, 2) != 9;
}
//=== pass: const computes with its own locals
__attribute__((const, noinline)) static int fib(int n) {
    int a[2] = { 0, 1 };
    while (n-- > 0) {
        int t = a[0] + a[1];
        a[0] = a[1];
        a[1] = t;
    }
    return a[0];
}
int main(void) { return fib(10) != 55 || fib(10) + fib(3) != 57; }
//=== pass: const reads a constant table
static const int days[3] = { 31, 28, 31 };
__attribute__((const, noinline)) static int month(int m) { return days[m]; }
int main(void) { return month(1) != 28; }
