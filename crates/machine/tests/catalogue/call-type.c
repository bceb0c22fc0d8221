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
//=== fail: a comparison that returns long
// or: qsort-order
#include <stdio.h>
#include <stdlib.h>
static long order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
    int v[3] = { 3, 1, 2 };
    qsort(v, 3, sizeof *v, (int (*)(const void *, const void *))order); // UB
    printf("%d\n", v[0]);
    return 0;
}
//=== fail: a library function with another result
#include <stdio.h>
#include <string.h>
int main(void) {
    int (*len)(const char *) = (int (*)(const char *))strlen;
    printf("%d\n", len("abc")); // UB
    return 0;
}
//=== fail: a library function declared with another result
#include <stdio.h>
int strtod();
int main(void) {
    char *end;
    printf("%d\n", strtod("2.5", &end) == 2); // UB
    return 0;
}
//=== fail: malloc as a function of int
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    void *(*get)(int) = (void *(*)(int))malloc;
    char *p = get(3); // UB
    printf("%d\n", p != 0);
    return 0;
}
//=== fail: printf through a pointer without an ellipsis
#include <stdio.h>
int main(void) {
    int (*show)(const char *, double) = (int (*)(const char *, double))printf;
    show("%g\n", 1.5); // UB
    return 0;
}
//=== fail: too few for a definition with an identifier list
#include <stdio.h>
static int last(a, b)
    int a, b;
{
    return b;
}
int main(void) {
    int (*f)(int) = (int (*)(int))last;
    printf("%d\n", f(1) == 1); // UB
    return 0;
}
//=== fail: a function of atexit with a parameter
#include <stdio.h>
#include <stdlib.h>
static void last(int status) { printf("%d\n", status == 0); }
int main(void) {
    atexit((void (*)(void))last);
    return 0; // UB
}
//=== fail: a struct for a number
// exploited
#include <stdio.h>
struct one { float v; };
static struct one make(int x) { return (struct one){ x }; }
int main(void) {
    int (*f)(int) = (int (*)(int))make;
    printf("%d\n", f(2)); // UB
    return 0;
}
//=== pass: a table of functions with one type
static int add(int a, int b) { return a + b; }
static int sub(a, b)
    int a, b;
{
    return a - b;
}
int main(void) {
    int (*table[2])(int, int) = { add, sub };
    return table[0](1, 2) + table[1](1, 2) != 2;
}
