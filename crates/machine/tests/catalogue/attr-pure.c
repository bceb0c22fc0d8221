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
//=== fail: the promise is made in the caller's file
// exploited
#include <stdio.h>
extern int g;
extern int f(int) __attribute__((const));
int main(void) {
    int a = f(1);
    g = 10;
    int b = f(1);
    printf("%d %d\n", a, b);
    return 0;
}
//=== file: b.c
int g = 1;
int f(int x) {
    return x + g; // UB
}
//=== fail: exit in a pure function
// exploited
#include <stdio.h>
#include <stdlib.h>
__attribute__((pure, noinline)) static int f(int x) {
    if (x)
        exit(3); // UB
    return 0;
}
int main(void) {
    f(1);
    puts("after");
    return 0;
}
//=== fail: a pure function sets errno
// exploited
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
__attribute__((pure, noinline)) static long f(const char *s) {
    return strtol(s, 0, 10); // UB
}
int main(void) {
    errno = 0;
    f("99999999999999999999999999");
    printf("%d\n", errno != 0);
    return 0;
}
//=== fail: a pure function takes an argument from its caller's list
// exploited
#include <stdarg.h>
#include <stdio.h>
__attribute__((pure, noinline)) static int next(va_list *ap) {
    return va_arg(*ap, int); // UB
}
static int sum(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int a = next(&ap), b = next(&ap);
    va_end(ap);
    return a * 10 + b;
}
int main(void) {
    printf("%d\n", sum(2, 1, 2));
    return 0;
}
//=== fail: a pure function returns new memory
// exploited
#include <stdio.h>
#include <stdlib.h>
__attribute__((pure, noinline)) static int *make(int n) {
    return calloc(n, sizeof(int)); // UB
}
int main(void) {
    int *a = make(4), *b = make(4);
    a[0] = 5;
    printf("%d %d\n", b[0], a == b);
    return 0;
}
//=== fail: longjmp out of a const function
// differs
#include <setjmp.h>
#include <stdio.h>
static jmp_buf env;
__attribute__((pure, noinline)) static int f(int x) {
    if (x)
        longjmp(env, 1); // UB
    return 0;
}
int main(void) {
    if (setjmp(env) == 0)
        f(1);
    puts("end");
    return 0;
}
//=== pass: a pure function frees what it allocates
// prints: 6
#include <stdio.h>
#include <stdlib.h>
__attribute__((pure, noinline)) static int f(int n) {
    int *p = malloc(n * sizeof(int)), s = 0;
    for (int i = 0; i < n; i++)
        s += p[i] = i;
    free(p);
    return s;
}
int main(void) {
    printf("%d\n", f(4));
    return 0;
}
//=== pass: the promise of the caller's file is kept
// prints: 2 2
#include <stdio.h>
extern int f(int) __attribute__((const));
int main(void) {
    printf("%d %d\n", f(1), f(1));
    return 0;
}
//=== file: b.c
int f(int x) { return x + 1; }
//=== fail: an alias promises const, and its function counts
// exploited
#include <stdio.h>
static int n;
int f(int x) {
    n++; // UB
    return x;
}
int g(int x) __attribute__((alias("f"), const));
int main(void) {
    int s = g(3) + g(3) + g(3);
    printf("%d %d\n", s, n);
    return 0;
}
//=== pass: an alias promises nothing of its function's other names
// prints: 9 3 12
#include <stdio.h>
static int n;
int f(int x) {
    n++;
    return x;
}
int g(int x) __attribute__((alias("f"), const));
int twice(int x) { return 2 * x; }
int pure_twice(int x) __attribute__((alias("twice"), const));
int main(void) {
    int s = f(3) + f(3) + f(3);
    printf("%d %d %d\n", s, n, pure_twice(3) + pure_twice(3));
    return 0;
}
//=== unsupported: a pointer to an alias that promises const
#include <stdio.h>
static int n;
int f(int x) {
    n++;
    return x;
}
int g(int x) __attribute__((alias("f"), const));
int main(void) {
    int (*p)(int) = g;
    int s = p(3) + p(3);
    printf("%d %d\n", s, n);
    return 0;
}
//=== pass: a pointer to an alias that promises what its function does
__attribute__((const)) int f(int x) { return x + 1; }
int g(int x) __attribute__((alias("f"), const));
int main(void) {
    int (*p)(int) = g;
    return p != f || p(3) != 4 || g(3) != 4;
}
//=== fail: pure reads a volatile object
// differs
#include <stdio.h>
volatile int v;
__attribute__((noinline, pure)) static int f(void) {
    return v; // UB
}
int main(void) {
    int a = f(), b = f();
    printf("%d\n", a + b);
    return 0;
}
//=== fail: const stores to a volatile local
#include <stdio.h>
__attribute__((noinline, const)) static int f(int x) {
    volatile int v;
    v = x; // UB
    return v + 1;
}
int main(void) {
    printf("%d\n", f(2) + f(2));
    return 0;
}
//=== fail: pure copies a volatile struct
#include <stdio.h>
struct pair { int a, b; };
static volatile struct pair v;
__attribute__((noinline, pure)) static int f(void) {
    struct pair p = v; // UB
    return p.a;
}
int main(void) {
    printf("%d\n", f() + f());
    return 0;
}
//=== pass: what a pure function is given may come from a volatile object
volatile int v = 2;
__attribute__((noinline, pure)) static int f(int x) { return x + 1; }
int main(void) {
    int a = f(v);
    v = f(v);
    return a != 3 || v != 3;
}
//=== pass: volatile accesses once a pure function has returned
volatile int v = 2;
__attribute__((noinline, const)) static int f(int x) { return x * 2; }
__attribute__((noinline)) static int g(int x) {
    int y = f(x);
    v = y;
    return v;
}
int main(void) { return g(2) != 4 || g(3) != 6; }
