//=== fail: stored as int, read as float
// exploited
// thirty-one: 5
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) static float both(int *i, float *f) {
    *f = 1.0f;
    *i = 0;
    return *f; // UB
}
int main(void) {
    void *p = malloc(4);
    if (!p)
        return 1;
    printf("%d\n", both(p, p) == 1.0f);
    free(p);
    return 0;
}
//=== fail: type carried by memcpy
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    double d = 1.0;
    long *p = malloc(sizeof *p);
    if (!p)
        return 1;
    memcpy(p, &d, sizeof d);
    printf("%lx\n", *p); // UB
    free(p);
    return 0;
}
//=== fail: a recycled cell
// exploited
#include <stdio.h>
#include <stdlib.h>
struct pool { void *cell; };
__attribute__((noinline)) static long reuse(long *a, long long *b) {
    *a = 1;
    *b = 2;
    return *a; // UB
}
int main(void) {
    struct pool p = { malloc(8) };
    if (!p.cell)
        return 1;
    printf("%ld\n", reuse(p.cell, p.cell));
    free(p.cell);
    return 0;
}
//=== fail: type carried by memmove inside a block
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *block = calloc(4, 4);
    if (!block)
        return 1;
    *(float *)block = 1.0f;
    memmove(block + 8, block, 4);
    int sum = 0;
    for (int i = 3; i > 0; i--)
        sum += ((int *)block)[i]; // UB
    printf("%d\n", sum);
    free(block);
    return 0;
}
//=== fail: array of shorts summed as ints
// exploited
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) static int pairs(short *s, int *w, int n) {
    int sum = 0;
    for (int i = 0; i < 2 * n; i++)
        s[i] = 1;
    for (int i = 0; i < n; i++)
        sum += w[i]; // UB
    return sum;
}
int main(void) {
    void *p = calloc(8, 4);
    if (!p)
        return 1;
    printf("%x\n", pairs(p, p, 8));
    free(p);
    return 0;
}
//=== caveat(retyped): retyped by a write
#include <stdlib.h>
int main(void) {
    void *p = malloc(8);
    if (!p)
        return 0;
    *(int *)p = 1;
    int a = *(int *)p;
    *(float *)p = 2.0f;
    float b = *(float *)p;
    free(p);
    return a != 1 || b != 2.0f;
}
//=== fail: copied from the middle of an array
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int from[6] = { 1, 2, 3, 4, 5, 6 };
    float *to = malloc(8);
    if (!to)
        return 1;
    memcpy(to, from + 3, 8);
    printf("%g\n", to[0]); // UB
    return 0;
}
//=== fail: a row of floats in memory of ints
// exploited
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) static int mix(int (*a)[4], float (*b)[4]) {
    a[1][2] = 1;
    b[1][2] = 2;
    return a[1][2]; // UB
}
int main(void) {
    void *p = calloc(2, 16);
    if (!p)
        return 1;
    printf("%d\n", mix(p, p));
    return 0;
}
//=== pass: rows of allocated memory as flat arrays
#include <stdlib.h>
int main(void) {
    int (*a)[4] = malloc(3 * sizeof *a), sum = 0;
    if (!a)
        return 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            a[i][k] = 4 * i + k;
    int *row = a[1], *flat = (int *)a;
    for (int i = 0; i < 12; i++)
        sum += flat[i];
    int wrong = row[2] != 6 || sum != 66 || (*(a + 2))[3] != 11;
    free(a);
    return wrong;
}
//=== pass: flat memory as rows, fixed and variable
#include <stdlib.h>
static int total(int rows, int cols, int m[rows][cols]) {
    int sum = 0;
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < cols; k++)
            sum += m[i][k];
    return sum;
}
int main(void) {
    int *flat = malloc(12 * sizeof *flat);
    if (!flat)
        return 0;
    for (int i = 0; i < 12; i++)
        flat[i] = i;
    int (*rows)[4] = (int (*)[4])flat, (*cube)[2][3] = (void *)flat;
    int wrong = rows[2][3] != 11 || cube[1][1][2] != 11 || total(3, 4, rows) != 66 || total(2, 6, (void *)flat) != 66;
    free(flat);
    return wrong;
}
//=== pass: rows sorted, copied and moved
#include <stdlib.h>
#include <string.h>
static int by_value(const void *x, const void *y) { return *(const int *)x - *(const int *)y; }
static int by_row(const void *x, const void *y) {
    const int (*p)[4] = x, (*q)[4] = y;
    return (*p)[0] - (*q)[0];
}
int main(void) {
    int (*a)[4] = malloc(3 * sizeof *a);
    if (!a)
        return 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            a[i][k] = 20 - 4 * i - k;
    qsort(a[1], 4, sizeof(int), by_value);
    qsort(a, 3, sizeof *a, by_row);
    int wrong = a[1][0] != 13 || a[0][0] != 12;
    memcpy(a[0], a[1], sizeof a[0]);
    a = realloc(a, 5 * sizeof *a);
    wrong |= !a || a[0][3] != 16 || *a[1] != 13;
    free(a);
    return wrong;
}
//=== pass: a struct of rows, and structs in rows
#include <stdlib.h>
struct matrix { double m[2][2]; };
struct point { int x, y; };
int main(void) {
    struct matrix *v = calloc(3, sizeof *v);
    struct point (*g)[3] = malloc(2 * sizeof *g);
    if (!v || !g)
        return 0;
    v[1].m[1][0] = 2;
    double (*rows)[2] = v[1].m, *row = rows[1];
    g[1][2] = (struct point){ 3, 4 };
    struct point *p = &g[1][2], *all = (struct point *)g;
    int wrong = row[0] != 2 || p->y != 4 || all[5].x != 3;
    v[0] = v[1];
    wrong |= v[0].m[1][0] != 2;
    free(v);
    free(g);
    return wrong;
}
//=== pass: cleared memory read as anything
#include <stdlib.h>
#include <string.h>
int main(void) {
    int *p = calloc(4, sizeof *p);
    long *q = malloc(16);
    if (!p || !q)
        return 0;
    memset(q, 1, 16);
    int r = p[3] != 0 || q[1] != 0x0101010101010101L;
    free(p);
    free(q);
    return r;
}
//=== pass: type carried by memcpy, read with it
#include <stdlib.h>
#include <string.h>
struct pair { int a; float b; };
int main(void) {
    struct pair v = { 1, 2.0f };
    void *p = malloc(sizeof v);
    if (!p)
        return 0;
    memcpy(p, &v, sizeof v);
    struct pair *q = p;
    int r = q->a != 1 || q->b != 2.0f;
    free(p);
    return r;
}
//=== pass: bytes read as characters
#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    *p = 0x01020304;
    unsigned char c = *(unsigned char *)p;
    unsigned u = *(unsigned *)p;
    free(p);
    return c != 4 || u != 0x01020304;
}
//=== pass: last array of one element, stored through a pointer to an element
#include <stdlib.h>
struct vec { unsigned n; short v[1]; };
static short get(struct vec *p, int i) {
    short *q;
    p->v[i] = 0;
    q = &p->v[8];
    *q = 1;
    return p->v[i];
}
int main(void) {
    struct vec *p = malloc(sizeof *p + 64);
    int wrong = !p || get(p, 8) != 1;
    free(p);
    return wrong;
}
