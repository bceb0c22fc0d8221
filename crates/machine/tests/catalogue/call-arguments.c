//=== fail: too few arguments
// exploited
#include <stdio.h>
static int add();
int main(void) {
    printf("%d\n", add(1) == 1); // UB
    return 0;
}
static int add(int a, int b) { return a + b; }
//=== fail: int for a double
#include <stdio.h>
double half();
int main(void) {
    printf("%d\n", half(4) == 2.0); // UB
    return 0;
}
double half(double x) { return x / 2; }
//=== fail: int for a long
#include <stdio.h>
static long twice();
volatile int minus = -1;
int main(void) {
    int (*unused)(void) = 0;
    long r = twice(minus); // UB
    printf("%d\n", r == -2 && !unused);
    return 0;
}
__attribute__((noinline)) static long twice(long x) { return 2 * x; }
//=== fail: old definition with fewer arguments
#include <stdio.h>
static int last(a, b, c)
    int a, b, c;
{
    return c;
}
int main(void) {
    int v = last(1, 2); // UB
    printf("%d\n", v == 2);
    return 0;
}
//=== fail: zero for a null pointer
#include <stdio.h>
static int is_null();
int main(void) {
    int r = 0;
    for (int i = 0; i < 2; i++)
        r += is_null(i, 0); // UB
    printf("%d\n", r);
    return 0;
}
static int is_null(int i, char *p) { return p == 0; }
//=== fail: implicit declaration
// std: gnu89
#include <stdio.h>
int main(void) {
    printf("%d\n", scale(3, 2.0) == 6); // UB
    return 0;
}
int scale(int a, int b) { return a * b; }
//=== pass: signed and unsigned when both hold the value
static int f(a, b, c)
    int a, b;
    unsigned c;
{
    return a + b + (int)c;
}
int main(void) { return f(5u, 'x', 1) != 126; }
//=== pass: promoted arguments of an old definition
static int f(c, s, x)
    char c;
    short s;
    float x;
{
    return c + s + (int)x;
}
int main(void) {
    char c = 1;
    short s = 2;
    float x = 3.0f;
    return f(c, s, x) != 6;
}
//=== pass: character and void pointers
static int f(s)
    char *s;
{
    return s[0];
}
int main(void) {
    char text[2] = "a";
    void *p = text;
    return f(p) != 'a';
}
//=== fail: too few, what is left in a register
// exploited
#include <stdio.h>
static int third();
__attribute__((noinline)) static int run(int a, int b, int c) {
    int s = a * b + c;
    return third(s, a); // UB
}
int main(void) {
    printf("%d\n", run(3, 4, 5));
    return 0;
}
__attribute__((noinline)) static int third(int a, int b, int c) { return c; }
//=== fail: a variable list without a prototype
#include <stdarg.h>
#include <stdio.h>
static int sum(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int s = va_arg(ap, int) + va_arg(ap, int);
    va_end(ap);
    return s;
}
int main(void) {
    int (*f)() = (int (*)())sum;
    printf("%d\n", f(2, 3, 4)); // UB
    return 0;
}
//=== fail: a library function given too few
#include <stdio.h>
int atoi();
int main(void) {
    printf("%d\n", atoi() == 0); // UB
    return 0;
}
//=== fail: a library function given a long for an int
#include <stdio.h>
int abs();
int main(void) {
    long v = -3;
    printf("%d\n", abs(v)); // UB
    return 0;
}
//=== pass: library functions without a prototype, given what they take
int abs();
unsigned long strlen();
int main(void) {
    const char *text = "abc";
    return abs(-3) + strlen(text) != 6;
}
