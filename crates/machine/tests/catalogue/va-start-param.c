//=== fail: a parameter of type char
#include <stdarg.h>
#include <stdio.h>
static int get(char n, ...) {
    va_list ap;
    va_start(ap, n); // UB
    int r = va_arg(ap, int);
    va_end(ap);
    return r;
}
int main(void) {
    printf("%d\n", get(1, 5));
    return 0;
}
//=== fail: a register parameter
#include <stdarg.h>
#include <stdio.h>
static int get(register int n, ...) {
    va_list ap;
    va_start(ap, n); // UB
    int r = va_arg(ap, int);
    va_end(ap);
    return r;
}
int main(void) {
    printf("%d\n", get(1, 5));
    return 0;
}
//=== fail: a parameter declared as an array
#include <stdarg.h>
#include <stdio.h>
static int get(int n[], ...) {
    va_list ap;
    va_start(ap, n); // UB
    int r = va_arg(ap, int);
    va_end(ap);
    return r;
}
int main(void) {
    int a[1] = { 1 };
    printf("%d\n", get(a, 5));
    return 0;
}
//=== fail: a parameter declared as a function
#include <stdarg.h>
#include <stdio.h>
static int get(int f(void), ...) {
    va_list ap;
    va_start(ap, f); // UB
    int r = va_arg(ap, int);
    va_end(ap);
    return r;
}
int main(void) {
    printf("%d\n", get(0, 5));
    return 0;
}
//=== fail: a float, on i386
// target: i386
#include <stdarg.h>
#include <stdio.h>
static int get(float n, ...) {
    va_list ap;
    va_start(ap, n); // UB
    int r = va_arg(ap, int);
    va_end(ap);
    return r;
}
int main(void) {
    printf("%d\n", get(1, 5));
    return 0;
}
//=== fail: another parameter than the last
#include <stdarg.h>
#include <stdio.h>
static int get(int a, int b, ...) {
    va_list ap;
    va_start(ap, a); // UB
    int r = va_arg(ap, int);
    va_end(ap);
    return r;
}
int main(void) {
    printf("%d\n", get(1, 2, 5));
    return 0;
}
//=== pass: pointers, structs and what promotion leaves alone
#include <stdarg.h>
struct s { char c; };
enum e { E };
static int p(int *n, ...) {
    va_list ap;
    va_start(ap, n);
    int r = va_arg(ap, int);
    va_end(ap);
    return r;
}
static int s(struct s n, ...) {
    va_list ap;
    va_start(ap, n);
    int r = va_arg(ap, int);
    va_end(ap);
    return r;
}
static int e(const enum e n, ...) {
    va_list ap;
    va_start(ap, n);
    int r = va_arg(ap, int);
    va_end(ap);
    return r;
}
int main(void) { return p(0, 1) + s((struct s){ 1 }, 2) + e(E, 3) != 6; }
//=== pass: a double, and twice
#include <stdarg.h>
static int get(double n, ...) {
    va_list ap;
    va_start(ap, n);
    int r = va_arg(ap, int);
    va_end(ap);
    va_start(ap, n);
    r += va_arg(ap, int);
    va_end(ap);
    return r;
}
int main(void) { return get(1, 4) != 8; }
//=== pass: the plain result, where the letter does not count
// letter
#include <stdarg.h>
static int get(short n, ...) {
    va_list ap;
    va_start(ap, n);
    int r = va_arg(ap, int);
    va_end(ap);
    return r;
}
int main(void) { return get(1, 5) != 5; }
