//=== fail: two globals
// exploited
#include <stdio.h>
int x, y;
int main(void) {
    printf("%d\n", &x < &y); // UB
    return 0;
}
//=== fail: direction of the stack
#include <stdio.h>
__attribute__((noinline)) static int grows_down(char *outer) {
    char inner = 0;
    return &inner < outer; // UB
}
int main(void) {
    char c = 0;
    printf("%d\n", grows_down(&c));
    return 0;
}
//=== fail: order of a tree by address
#include <stdio.h>
#include <stdlib.h>
struct node { int v; struct node *left; };
static struct node *smaller(struct node *a, struct node *b) {
    return a < b ? a : b; // UB
}
int main(void) {
    struct node *p = calloc(1, sizeof *p), *q = calloc(1, sizeof *q);
    if (!p || !q)
        return 1;
    p->v = 1;
    q->v = 2;
    printf("%d\n", smaller(p, q)->v);
    return 0;
}
//=== fail: own overlap test
// exploited
#include <stdio.h>
static char buf[8], other[8];
static void move(char *to, const char *from, int n) {
    if (to <= from) // UB
        for (int i = 0; i < n; i++)
            to[i] = from[i];
    else
        while (n-- > 0)
            to[n] = from[n];
}
int main(void) {
    move(buf, other, 8);
    puts(buf < other ? "up" : "down");
    return 0;
}
//=== fail: null is less
#include <stdio.h>
int main(void) {
    int x = 0, *p = &x, *q = 0;
    printf("%d\n", p > q); // UB
    return 0;
}
//=== fail: end of the wrong array
// exploited
#include <stdio.h>
int main(void) {
    int a[3] = { 1, 2, 3 }, b[3] = { 4, 5, 6 };
    int n = 0;
    for (int *p = a; p < b + 3 && n < 3; p++) // UB
        n++;
    printf("%d\n", n);
    return 0;
}
//=== pass: members of one struct in order
struct s { int a; char b; int c[2]; };
int main(void) {
    struct s v;
    return !((char *)&v.a < &v.b) || !((void *)&v.b < (void *)v.c) || !(&v.c[0] < &v.c[1]) || !(&v.a < v.c);
}
//=== pass: elements and one past
int main(void) {
    int a[3], *p = a + 3;
    return !(p > a) || !(a <= &a[0]) || !(&a[1] < p) || p < p;
}
//=== pass: equality of different objects
int x, y;
int main(void) { return &x == &y || !(&x != &y); }
//=== pass: rows of one matrix, members of a union
int main(void) {
    int m[2][3];
    union { int i; char c[4]; } u;
    return !(&m[0][2] < &m[1][0]) || !((char *)&u.i >= u.c) || !((char *)&u.i <= u.c);
}
//=== pass: null with null
int main(void) {
    int *p = 0, *q = 0;
    return p != q;
}
