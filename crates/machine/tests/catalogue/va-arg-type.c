//=== fail: int read as a double
// thirty-one: 31
#include <stdarg.h>
#include <stdio.h>
static double first(int n, ...) {
    va_list ap;
    va_start(ap, n);
    double d = va_arg(ap, double); // UB
    va_end(ap);
    return d;
}
int main(void) {
    printf("%d\n", first(1, 5) == 5.0);
    return 0;
}
//=== fail: int read as a long
#include <stdarg.h>
#include <stdio.h>
__attribute__((noinline)) static long sum(int n, ...) {
    va_list ap;
    long s = 0;
    va_start(ap, n);
    for (int i = 0; i < n; i++)
        s += va_arg(ap, long); // UB
    va_end(ap);
    return s;
}
int main(void) {
    volatile int minus = -1;
    printf("%d\n", sum(2, minus, 1) == 0);
    return 0;
}
//=== fail: float is promoted
// differs
#include <stdarg.h>
#include <stdio.h>
static float last(int n, ...) {
    va_list ap;
    va_start(ap, n);
    float f = va_arg(ap, float); // UB
    va_end(ap);
    return f;
}
int main(void) {
    printf("%d\n", last(1, 1.5f) == 1.5f);
    return 0;
}
//=== fail: a short
// differs
#include <stdarg.h>
#include <stdio.h>
static int get(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int s = va_arg(ap, short); // UB
    va_end(ap);
    return s;
}
int main(void) {
    short s = 7;
    printf("%d\n", get(0, s));
    return 0;
}
//=== fail: negative int read as unsigned
#include <stdarg.h>
#include <stdio.h>
static int above(int n, ...) {
    va_list ap;
    va_start(ap, n);
    unsigned u = va_arg(ap, unsigned); // UB
    va_end(ap);
    return u > 100;
}
int main(void) {
    printf("%d\n", above(1, -5));
    return 0;
}
//=== fail: integer zero for a pointer
#include <stdarg.h>
#include <stdio.h>
static int count(const char *first, ...) {
    int n = 0;
    va_list ap;
    va_start(ap, first);
    for (const char *s = first; s; s = va_arg(ap, const char *)) // UB
        n++;
    va_end(ap);
    return n;
}
int main(void) {
    printf("%d\n", count("a", "b", 0));
    return 0;
}
//=== fail: a struct of the same size
#include <stdarg.h>
#include <stdio.h>
struct a { long x, y; };
struct b { double x, y; };
static double get(int n, ...) {
    va_list ap;
    va_start(ap, n);
    struct b v = va_arg(ap, struct b); // UB
    va_end(ap);
    return v.y;
}
int main(void) {
    struct a v = { 1, 2 };
    printf("%d\n", get(1, v) == 0);
    return 0;
}
//=== pass: unsigned for a small int, int for a small unsigned
#include <stdarg.h>
static int f(int n, ...) {
    va_list ap;
    va_start(ap, n);
    unsigned a = va_arg(ap, unsigned);
    int b = va_arg(ap, int);
    unsigned long c = va_arg(ap, unsigned long);
    va_end(ap);
    return (int)a + b + (int)c;
}
int main(void) { return f(3, 1, 2u, 3L) != 6; }
//=== pass: character pointer for void pointer
#include <stdarg.h>
static int f(int n, ...) {
    va_list ap;
    va_start(ap, n);
    char *a = va_arg(ap, char *);
    void *b = va_arg(ap, void *);
    const unsigned char *c = va_arg(ap, void *);
    va_end(ap);
    return a[0] + *(char *)b + c[0];
}
int main(void) {
    char s[2] = { 1, 0 }, t[2] = { 2, 0 };
    unsigned char u[2] = { 3, 0 };
    return f(3, (void *)s, t, u) != 6;
}
//=== pass: promoted types
#include <stdarg.h>
struct s { char c[3]; };
static int f(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int a = va_arg(ap, int);
    double b = va_arg(ap, double);
    struct s c = va_arg(ap, struct s);
    int d = va_arg(ap, int);
    va_end(ap);
    return a + (int)b + c.c[2] + d;
}
int main(void) {
    char c = 1;
    float x = 2.5f;
    struct s s = { { 0, 0, 3 } };
    return f(4, c, x, s, (_Bool)1) != 7;
}
//=== fail: a double read as a long
#include <stdarg.h>
#include <stdio.h>
__attribute__((noinline)) static long first(int n, ...) {
    va_list ap;
    va_start(ap, n);
    long v = va_arg(ap, long); // UB
    va_end(ap);
    return v;
}
int main(void) {
    printf("%ld\n", first(1, 2.5));
    return 0;
}
