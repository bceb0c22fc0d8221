//=== fail: pointer to a row, index beyond it
// thirty-one: 14
#include <stdio.h>
static int a[4][5];
__attribute__((noinline)) static int write_far(int i) {
    a[2][2] = 1;
    int *p = a[1];
    p[i] = 2; // UB
    return a[2][2];
}
int main(void) {
    printf("%d\n", write_far(7));
    return 0;
}
//=== fail: second index beyond its bound
// exploited
#include <stdio.h>
volatile int col = 5;
int main(void) {
    int m[3][3] = { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 } };
    int v = m[0][col]; // UB
    printf("%d\n", v);
    return 0;
}
//=== fail: every second element of a flat walk
#include <stdio.h>
static int m[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
static int sum(const int *p, int n, int step) {
    int s = 0;
    for (int i = 0; i < n; i += step)
        s += p[i]; // UB
    return s;
}
int main(void) {
    printf("%d\n", sum(&m[0][0], 6, 2));
    return 0;
}
//=== fail: negative index to the previous row
#include <stdio.h>
static char grid[2][2][4] = { { "abc", "def" }, { "ghi", "jkl" } };
int main(void) {
    char *p = grid[1][0];
    putchar(p[-2]); // UB
    putchar('\n');
    return 0;
}
//=== fail: a store the row bound hides
#include <stdio.h>
__attribute__((noinline)) static int set(int m[2][4], int i, int j) {
    m[1][1] = 3;
    m[0][j] = 4; // UB
    return m[1][1];
}
int main(void) {
    int m[2][4] = { { 0 } };
    printf("%d\n", set(m, 1, 5));
    return 0;
}
//=== pass: walk from the address of the whole array
int main(void) {
    int m[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
    int *p = (int *)&m, sum = 0;
    for (int i = 0; i < 6; i++)
        sum += p[i];
    return sum != 21;
}
//=== pass: one past a row
int main(void) {
    int m[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
    int *end = m[0] + 3;
    return end[-1] != 3 || end - m[0] != 3;
}
//=== pass: row pointers
int main(void) {
    int m[3][2] = { { 1, 2 }, { 3, 4 }, { 5, 6 } };
    int (*row)[2] = m;
    return row[2][1] != 6 || (*(m + 1))[0] != 3 || (row + 2)[-2][1] != 2;
}
//=== pass: the whole matrix copied as bytes
int main(void) {
    int a[2][2] = { { 1, 2 }, { 3, 4 } }, b[2][2];
    unsigned char *from = (unsigned char *)a, *to = (unsigned char *)b;
    for (unsigned i = 0; i < sizeof a; i++)
        to[i] = from[i];
    return b[1][1] != 4 || b[0][1] != 2;
}
//=== pass: the last row
struct table { int rows[3][4], next[4]; };
int main(void) {
    struct table t = { { { 0 }, { 0 }, { 5 } }, { 7 } };
    int a[2][3][4] = { { { 0 } } }, i = 2;
    a[0][i][3] = 4;
    return t.rows[i][0] != 5 || a[0][2][3] != 4 || t.rows[i][3] != 0;
}
