//=== fail: no elements
#include <stdio.h>
static int sum(int n, const int a[n]) { // UB
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}
int main(void) {
    int a[2] = { 1, 2 };
    printf("%d %d\n", sum(2, a), sum(0, a));
    return 0;
}
//=== fail: a negative number
#include <stdio.h>
static int first(int n, int a[n - 3]) { return a[0] + n; } // UB
int main(void) {
    int a[2] = { 1, 2 };
    printf("%d\n", first(2, a));
    return 0;
}
//=== fail: the outer bound of a matrix
#include <stdio.h>
static int corner(int rows, int cols, int m[rows][cols]) { return m[0][cols - 1]; } // UB
int main(void) {
    int m[1][2] = { { 1, 2 } };
    printf("%d\n", corner(0, 2, m));
    return 0;
}
//=== fail: an old definition
// std: gnu89
#include <stdio.h>
static int last(n, a)
    int n;
    int a[n]; // UB
{
    return a[1];
}
int main(void) {
    int a[2] = { 1, 2 };
    printf("%d\n", last(0, a));
    return 0;
}
//=== pass: a bound is evaluated
static int calls;
static int bound(void) { return ++calls; }
static int next(int n, int a[n++]) { return n + (a != 0); }
static int through(int n, int (*a)[n++]) { return n + (int)sizeof *a; }
static int call(int a[bound()]) { return a[0]; }
int main(void) {
    int a[2] = { 4, 5 };
    return next(5, a) != 7 || through(2, (void *)a) != 11 || call(a) != 4 || calls != 1;
}
//=== pass: shorter or longer than the argument
static int first(int n, int a[n]) { return a[0]; }
int main(void) {
    int a[2] = { 8, 9 };
    return first(1, a) != 8 || first(100, a) != 8;
}
//=== pass: nothing in the brackets
static int first(int n, int a[], int b[restrict], int (*c)[]) { return n + a[0] + b[0] + (*c)[0]; }
static int star(int n, int a[*]);
static int star(int n, int a[n]) { return a[n - 1]; }
int main(void) {
    int a[2] = { 8, 9 };
    return first(0, a, a, &a) != 24 || star(2, a) != 9;
}
