//=== fail: elements of two rows
// thirty-one: 18
#include <stdio.h>
static int a[2][4];
int main(void) {
    long d = &a[1][0] - &a[0][0]; // UB
    printf("%ld\n", d);
    return 0;
}
//=== fail: two members
#include <stdio.h>
struct point { int x, y; };
static long gap(struct point *p) {
    return &p->y - &p->x; // UB
}
int main(void) {
    struct point p = { 1, 2 };
    printf("%ld\n", gap(&p));
    return 0;
}
//=== fail: member arrays of one struct
#include <stdio.h>
struct buffer { short head[4]; short body[4]; };
int main(void) {
    struct buffer b = { { 0 }, { 0 } };
    short *from = b.head + 1, *to = b.body + 2;
    int n = 0;
    while (n < 3)
        n += to - from; // UB
    printf("%d\n", n);
    return 0;
}
//=== fail: same member of two elements
#include <stdio.h>
struct cell { int v; int w; };
int main(void) {
    struct cell c[3] = { { 1, 2 } };
    printf("%d\n", (int)(&c[2].v - &c[0].v)); // UB
    return 0;
}
//=== pass: inside one row
int main(void) {
    int a[2][4];
    return &a[1][3] - &a[1][0] != 3 || &a[0][4] - a[0] != 4;
}
//=== pass: rows and elements as units
struct cell { int v, w; };
int main(void) {
    int a[3][4];
    struct cell c[3];
    return a + 2 - a != 2 || &a[1] - &a[0] != 1 || &c[2] - &c[0] != 2;
}
//=== pass: members by their bytes
struct point { int x, y; };
int main(void) {
    struct point p;
    return (char *)&p.y - (char *)&p.x != sizeof(int);
}
