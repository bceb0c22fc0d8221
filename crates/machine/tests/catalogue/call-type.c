//=== fail: int called as double
// exploited
#include <stdio.h>
static int next(int x) { return x + 1; }
int main(void) {
    int (*f)(double) = (int (*)(double))next;
    printf("%d\n", f(2.0)); // UB
    return 0;
}
//=== fail: value of a function that returns none
// exploited
#include <stdio.h>
static int state = 3;
static void set(int v) { state = v; }
static int apply(int (*f)(int), int v) {
    return f(v); // UB
}
int main(void) {
    int r = apply((int (*)(int))set, 8);
    printf("%d\n", r == 8);
    return 0;
}
//=== fail: too many parameters, in a table
#include <stdio.h>
typedef int binary(int, int);
static int negate(int x) { return -x; }
static int plus(int x, int y) { return x + y; }
static binary *table[2] = { plus, (binary *)negate };
int main(void) {
    int sum = 0;
    for (int i = 0; i < 2; i++)
        sum += table[i](5, 6); // UB
    printf("%d\n", sum);
    return 0;
}
//=== fail: too few parameters
// exploited
#include <stdio.h>
struct op { int (*run)(int); };
static int add(int a, int b) { return a * 0 + b; }
int main(void) {
    struct op o = { (int (*)(int))add };
    printf("%d\n", o.run(4)); // UB
    return 0;
}
//=== fail: variadic called as fixed
// exploited
#include <stdarg.h>
#include <stdio.h>
static double sum(int n, ...) {
    va_list ap;
    double s = 0;
    va_start(ap, n);
    while (n-- > 0)
        s += va_arg(ap, double);
    va_end(ap);
    return s;
}
int main(void) {
    double (*f)(int, double) = (double (*)(int, double))sum;
    printf("%g\n", f(1, 1.5)); // UB
    return 0;
}
//=== fail: float passed to a function of double
// exploited
#include <stdio.h>
static double half(double x) { return x / 2; }
int main(void) {
    double (*f)(float) = (double (*)(float))half;
    printf("%d\n", f(4.0f) == 2.0); // UB
    return 0;
}
//=== pass: cast there and back
static int next(int x) { return x + 1; }
int main(void) {
    void (*g)(void) = (void (*)(void))next;
    int (*f)(int) = (int (*)(int))g;
    return f(1) != 2;
}
//=== pass: without a prototype
static int add(int a, double b) { return a + (int)b; }
int main(void) {
    int (*f)() = add;
    return f(1, 2.0) != 3;
}
//=== pass: qualifiers of parameters, an enum as unsigned
enum e { A, B };
static int f(const int x, enum e y) { return x + y; }
int main(void) {
    int (*g)(int, unsigned) = (int (*)(int, unsigned))f;
    return g(1, B) != 2;
}
//=== pass: recursive main
static int depth;
int main(void) {
    if (depth++ < 3)
        return main();
    return 0;
}
