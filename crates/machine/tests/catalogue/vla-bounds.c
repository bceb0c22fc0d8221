//=== fail: initialised from another bound
// differs
#include <stdio.h>
int main(void) {
    int n = 3, m = 4;
    int a[2][4] = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 } };
    int (*p)[n] = a; // UB
    printf("%d\n", p[1][0] + m * 0);
    return 0;
}
//=== fail: assigned between two variable arrays
// differs
#include <stdio.h>
static int run(int n, int m) {
    int a[n], b[m];
    int (*p)[n] = &a;
    a[0] = 1;
    b[0] = 2;
    p = &b; // UB
    return (*p)[0];
}
int main(void) {
    printf("%d\n", run(2, 3));
    return 0;
}
//=== fail: matrix passed with a wrong width
#include <stdio.h>
static int corner(int rows, int cols, int m[rows][cols]) { return m[rows - 1][0]; }
int main(void) {
    int m[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
    printf("%d\n", corner(2, 2, m)); // UB
    return 0;
}
//=== fail: compared and chosen
// differs
#include <stdio.h>
volatile int n = 2;
int main(void) {
    int a[3] = { 1, 2, 3 };
    int k = n, b[k];
    b[0] = 7;
    int *p = *(k > 5 ? &a : &b); // UB
    printf("%d\n", p[0]);
    return 0;
}
//=== pass: the same bounds
static int sum(int rows, int cols, int m[rows][cols]) {
    int s = 0;
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < cols; k++)
            s += m[i][k];
    return s;
}
int main(void) {
    int m[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
    return sum(2, 3, m) != 21 || sum(1, 3, m + 1) != 15;
}
//=== pass: equal bounds from different expressions
int main(void) {
    int n = 4, a[2 * 2];
    int (*p)[n] = &a, (*q)[n - 1 + 1] = p;
    (*q)[3] = 5;
    return a[3] != 5;
}
//=== pass: the first bound of a parameter does not count
static int first(int n, int v[n]) { return v[0]; }
int main(void) {
    int a[2] = { 8, 9 };
    return first(2, a) != 8 || first(1, a) != 8;
}
