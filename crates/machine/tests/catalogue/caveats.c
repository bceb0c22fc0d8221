//=== caveat(retyped): two types in turn, one in a branch
// exploited
#include <stdio.h>
#include <stdlib.h>
// prints: 1
__attribute__((noinline)) static void put(int *s, float *f, int n, int k) {
    for (int i = 0; i < n; i++) {
        if (i == k)
            *s = i;
        *f = 1;
    }
}
int main(void) {
    void *p = malloc(4);
    if (!p)
        return 1;
    put(p, p, 5, 2);
    printf("%g\n", *(float *)p);
    free(p);
    return 0;
}
//=== caveat(retyped): stores only
#include <stdio.h>
#include <stdlib.h>
// prints: 2
static void put(int *s, float *f) {
    *f = 2;
    *s = 4;
    *f = 2;
}
int main(void) {
    void *p = malloc(4);
    if (!p)
        return 1;
    put(p, p);
    printf("%g\n", *(float *)p);
    free(p);
    return 0;
}
//=== caveat(retyped): a list of free cells in the cells
#include <stdio.h>
#include <stdlib.h>
// prints: 11
struct cell { int a, b, c, d; };
struct link { struct link *next; };
static struct link *list;
static void give(void *p) {
    struct link *l = p;
    l->next = list;
    list = l;
}
static void *take(void) {
    struct link *l = list;
    if (!l)
        return malloc(sizeof(struct cell));
    list = l->next;
    return l;
}
int main(void) {
    struct cell *c = take();
    c->a = 1;
    c->b = 2;
    give(c);
    c = take();
    c->a = 5;
    c->b = 6;
    printf("%d\n", c->a + c->b);
    free(c);
    return 0;
}
//=== caveat(retyped): memory of alloca
#include <stdio.h>
// prints: 2.5
int main(void) {
    void *p = __builtin_alloca(8);
    *(long *)p = 1;
    *(double *)p = 2.5;
    printf("%g\n", *(double *)p);
    return 0;
}
//=== caveat(retyped): one struct over another
#include <stdio.h>
#include <stdlib.h>
// prints: 3
struct ints { int x, y; };
struct floats { float u, v; };
int main(void) {
    void *p = malloc(8);
    if (!p)
        return 1;
    *(struct ints *)p = (struct ints){ 1, 2 };
    *(struct floats *)p = (struct floats){ 3, 4 };
    printf("%g\n", ((struct floats *)p)->u);
    free(p);
    return 0;
}
//=== pass: another allocation at the same place
#include <stdio.h>
#include <stdlib.h>
// prints: 2
int main(void) {
    double last = 0;
    for (int i = 0; i < 3; i++) {
        int *p = malloc(8);
        if (!p)
            return 1;
        *p = i;
        free(p);
        double *d = malloc(8);
        if (!d)
            return 1;
        *d = i;
        last = *d;
        free(d);
    }
    printf("%g\n", last);
    return 0;
}
//=== pass: bytes set or copied between
#include <stdlib.h>
#include <string.h>
int main(void) {
    void *p = malloc(16);
    int i = 5;
    float f = 2;
    if (!p)
        return 0;
    *(int *)p = 1;
    memset(p, 0, 16);
    *(double *)p = 2;
    memcpy(p, &i, sizeof i);
    *(int *)p += 1;
    memcpy(p, &f, sizeof f);
    int wrong = *(float *)p != 2;
    free(p);
    return wrong;
}
//=== pass: a struct, its members and its elements
#include <stdlib.h>
struct s { int a; unsigned b; double d[2]; };
int main(void) {
    struct s *p = malloc(sizeof *p);
    if (!p)
        return 0;
    int *a = &p->a;
    *a = 1;
    p->a = 2;
    *p = (struct s){ 3, 4, { 1, 2 } };
    double *d = p->d;
    d[1] = 7;
    *(int *)&p->b = 9;
    *(unsigned char *)a = 8;
    int wrong = p->a != 8 || p->b != 9 || p->d[1] != 7;
    free(p);
    return wrong;
}
//=== pass: members of a union in allocated memory
#include <stdlib.h>
union any { int i; double d; void *p; };
int main(void) {
    union any *v = malloc(sizeof *v);
    if (!v)
        return 0;
    v->i = 1;
    v->d = 2;
    v->p = v;
    v->i = 7;
    int wrong = v->i != 7;
    free(v);
    return wrong;
}
//=== pass: a base and what is derived from it
#include <stdlib.h>
struct base { int kind; };
struct derived { struct base base; int x; };
int main(void) {
    struct derived *d = malloc(sizeof *d);
    if (!d)
        return 0;
    d->base.kind = 1;
    d->x = 2;
    struct base *b = (struct base *)d;
    b->kind = 3;
    struct derived *e = (struct derived *)b;
    e->x = 4;
    int wrong = e->base.kind != 3 || d->x != 4;
    free(d);
    return wrong;
}
//=== pass: a table of pointers of any type
// letter
#include <stdlib.h>
int main(void) {
    void **table = malloc(2 * sizeof *table);
    int x = 4;
    if (!table)
        return 0;
    table[0] = &x;
    *(int **)table = &x;
    *(const int **)table = &x;
    int wrong = *(int *)table[0] != 4;
    free(table);
    return wrong;
}
