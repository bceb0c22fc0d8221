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
//=== pass: retyped by a write
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
