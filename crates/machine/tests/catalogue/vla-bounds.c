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
//=== fail: the arm that is not taken
#include <stdio.h>
volatile int which = 1;
int main(void) {
    int n = 3, m = 4, a[12] = { 0 };
    int (*p)[n] = (void *)a, (*q)[m] = (void *)a;
    int *r = *(which ? p : q); // UB
    printf("%d\n", r[0]);
    return 0;
}
//=== fail: two dimensions with one size
#include <stdio.h>
int main(void) {
    int a[2][6] = { { 0 } }, n = 3, m = 4;
    int (*p)[n][m] = (void *)a;
    int (*q)[2][6] = p; // UB
    printf("%d\n", (*q)[1][0]);
    return 0;
}
//=== fail: behind two pointers
#include <stdio.h>
int main(void) {
    int n = 2, m = 3, a[6] = { 0 };
    int (*p)[n] = (void *)a;
    int (**q)[m] = &p; // UB
    printf("%d\n", (**q)[0]);
    return 0;
}
//=== fail: subtracted
#include <stdio.h>
int main(void) {
    int n = 2, m = 4, a[8] = { 0 };
    int (*p)[n] = (void *)a, (*q)[m] = (void *)a;
    printf("%d\n", (int)(p - q)); // UB
    return 0;
}
//=== pass: a cast needs no equal bounds
int main(void) {
    int n = 2, m = 3, a[12] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };
    int (*p)[n] = (int (*)[n])a;
    int (*q)[m] = (int (*)[m])p;
    int (*r)[4] = (int (*)[4])q;
    return p[1][0] != 2 || q[1][0] != 3 || r[1][0] != 4;
}
