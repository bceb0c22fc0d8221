//=== fail: address of a local returned
// exploited
#include <stdio.h>
__attribute__((noinline)) static int *make(void) {
    int x = 5;
    int *p = &x;
    return p;
}
int main(void) {
    printf("%d\n", *make()); // UB
    return 0;
}
//=== fail: stored in a global
// exploited
#include <stdio.h>
static int *kept;
__attribute__((noinline)) static void keep(int v) {
    int local = v;
    kept = &local;
}
__attribute__((noinline)) static int other(int v) {
    volatile int a[4] = { v, v, v, v };
    return a[2];
}
int main(void) {
    keep(3);
    other(9);
    printf("%d\n", *kept); // UB
    return 0;
}
//=== fail: parameter, through a struct
// exploited
#include <stdio.h>
struct view { const int *at; };
__attribute__((noinline)) static struct view of(int v) {
    struct view r = { &v };
    return r;
}
int main(void) {
    struct view a = of(1), b = of(2);
    printf("%d\n", *a.at + *b.at); // UB
    return 0;
}
//=== fail: local array of a recursive call
// exploited
#include <stdio.h>
static char *path[3];
static void walk(int n) {
    char here[4] = "abc";
    path[n] = here;
    if (n < 2)
        walk(n + 1);
    here[0] = 'x';
}
int main(void) {
    walk(0);
    putchar(*path[2]); // UB
    putchar('\n');
    return 0;
}
//=== pass: static local
static int *make(void) {
    static int x = 5;
    return &x;
}
int main(void) { return *make() != 5; }
//=== pass: pointer to the caller's local
static int *pick(int *a, int *b) { return *a > *b ? a : b; }
int main(void) {
    int x = 1, y = 2;
    *pick(&x, &y) = 7;
    return y != 7;
}
//=== pass: deeper calls use a live frame
static int sum(int *top, int n) {
    int here = *top + n;
    return n == 0 ? here : sum(&here, n - 1);
}
int main(void) {
    int zero = 0;
    return sum(&zero, 3) != 6;
}
