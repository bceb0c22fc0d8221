//=== fail: two globals
// exploited
#include <stdio.h>
int a[4], b[4];
int main(void) {
    long d = b - a; // UB
    printf("%ld\n", d);
    return 0;
}
//=== fail: index by subtraction from another array
// exploited
#include <stdio.h>
static int index_of(const char *set, const char *at) {
    return at - set; // UB
}
int main(void) {
    char set[] = "abc", other[] = "xbz";
    printf("%d\n", index_of(set, other + 1));
    return 0;
}
//=== fail: is a pointer inside a buffer
#include <stdio.h>
#include <stdlib.h>
struct pool { int *base; int size; };
static int owns(const struct pool *p, const int *q) {
    return q - p->base >= 0 && q - p->base < p->size; // UB
}
int main(void) {
    int local[2] = { 0, 0 };
    struct pool p = { malloc(16), 4 };
    if (!p.base)
        return 1;
    printf("%d\n", owns(&p, local));
    free(p.base);
    return 0;
}
//=== fail: two locals of one type
// exploited
#include <stdio.h>
int main(void) {
    long x = 1, y = 2;
    printf("%d\n", (int)(&x - &y)); // UB
    return 0;
}
//=== pass: inside one array, one past included
int main(void) {
    int a[5], *end = a + 5;
    return end - a != 5 || a - end != -5 || &a[3] - &a[1] != 2;
}
//=== pass: one object as an array of one
int main(void) {
    double d;
    return &d + 1 - &d != 1 || &d - &d != 0;
}
//=== pass: bytes of one struct
#include <stddef.h>
struct s { char c; int x; };
int main(void) {
    struct s v;
    return (char *)&v.x - (char *)&v != offsetof(struct s, x) || (char *)(&v + 1) - (char *)&v != sizeof v;
}
//=== pass: two pointers to one heap block
#include <stdlib.h>
int main(void) {
    short *p = malloc(6 * sizeof *p), *q;
    if (!p)
        return 0;
    q = p + 6;
    int d = q - p;
    free(p);
    return d != 6;
}
//=== fail: members whose distance is no multiple of the size
// exploited
#include <stdio.h>
struct three { char c[3]; };
static struct { struct three a; char gap; struct three b; } g;
__attribute__((noinline)) static long distance(struct three *p, struct three *q) {
    return p - q; // UB
}
int main(void) {
    printf("%ld\n", distance(&g.b, &g.a));
    return 0;
}
