//=== fail: one more than given
// differs
#include <stdarg.h>
#include <stdio.h>
static int sum(int n, ...) {
    va_list ap;
    int s = 0;
    va_start(ap, n);
    for (int i = 0; i < n; i++)
        s += va_arg(ap, int); // UB
    va_end(ap);
    return s;
}
int main(void) {
    printf("%d\n", sum(3, 1, 2));
    return 0;
}
//=== fail: no end mark
#include <stdarg.h>
#include <stdio.h>
static int count(int first, ...) {
    va_list ap;
    int n = 0;
    va_start(ap, first);
    for (int v = first; v != -1; v = va_arg(ap, int)) // UB
        if (++n == 4)
            break;
    va_end(ap);
    return n;
}
int main(void) {
    printf("%d\n", count(1, 2, 3));
    return 0;
}
//=== fail: in a function that takes the list
// differs
#include <stdarg.h>
#include <stdio.h>
static double next(va_list ap) {
    return va_arg(ap, double); // UB
}
static int run(int n, ...) {
    va_list ap;
    va_start(ap, n);
    double d = next(ap);
    va_end(ap);
    return d == 0.0;
}
int main(void) {
    printf("%d\n", run(0));
    return 0;
}
//=== pass: as many as given
#include <stdarg.h>
static int sum(int n, ...) {
    va_list ap;
    int s = 0;
    va_start(ap, n);
    while (n-- > 0)
        s += va_arg(ap, int);
    va_end(ap);
    return s;
}
int main(void) { return sum(3, 1, 2, 3) != 6 || sum(0) != 0; }
//=== pass: fewer than given
#include <stdarg.h>
static int second(int n, ...) {
    va_list ap;
    va_start(ap, n);
    va_arg(ap, int);
    int v = va_arg(ap, int);
    va_end(ap);
    return v;
}
int main(void) { return second(0, 1, 2, 3, 4, 5, 6, 7, 8, 9) != 2; }
//=== pass: more than registers hold
#include <stdarg.h>
static double sum(int n, ...) {
    va_list ap;
    double s = 0;
    va_start(ap, n);
    for (int i = 0; i < n; i++) {
        s += va_arg(ap, double);
        s += va_arg(ap, int);
    }
    va_end(ap);
    return s;
}
int main(void) {
    return sum(10, 1., 1, 1., 1, 1., 1, 1., 1, 1., 1, 1., 1, 1., 1, 1., 1, 1., 1, 1., 1) != 20;
}
