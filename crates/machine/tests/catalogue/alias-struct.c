//=== fail: two struct types over one int
// exploited
// thirty-one: 2
#include <stdio.h>
struct a { int x; };
struct b { int x; };
__attribute__((noinline)) static int both(struct a *p, struct b *q) {
    p->x = 1;
    q->x = 2; // UB
    return p->x;
}
int main(void) {
    struct a v = { 0 };
    printf("%d\n", both(&v, (struct b *)&v));
    return 0;
}
//=== fail: common initial sequence without the union
// exploited
// thirty-one: 6
#include <stdio.h>
struct circle { int kind; double r; };
struct square { int kind; float side; };
__attribute__((noinline)) static int change(struct circle *c, struct square *s) {
    c->kind = 1;
    s->kind = 2; // UB
    return c->kind;
}
int main(void) {
    struct circle c = { 0, 1.0 };
    printf("%d\n", change(&c, (struct square *)&c));
    return 0;
}
//=== fail: list nodes of one layout
// exploited
#include <stdio.h>
struct node { struct node *next; int v; };
struct link { struct link *next; int v; };
static struct node last = { 0, 3 };
__attribute__((noinline)) static int push(struct node *n, struct link *l) {
    n->v = 1;
    l->v = 2; // UB
    return n->v;
}
int main(void) {
    printf("%d\n", push(&last, (struct link *)&last));
    return 0;
}
//=== fail: members of another order
// exploited
#include <stdio.h>
struct big { short hi; short lo; };
struct little { short lo; short hi; };
__attribute__((noinline)) static int swap(struct big *b, struct little *l) {
    b->hi = 1;
    l->lo = 2; // UB
    return b->hi;
}
int main(void) {
    struct big b = { 0, 0 };
    printf("%d\n", swap(&b, (struct little *)&b));
    return 0;
}
//=== fail: whole struct copied as another
// exploited
#include <stdio.h>
struct rgb { int r, g, b; };
struct xyz { int x, y, z; };
__attribute__((noinline)) static int assign(struct rgb *p, struct xyz *q) {
    p->r = 1;
    *q = (struct xyz){ 4, 5, 6 }; // UB
    return p->r;
}
int main(void) {
    struct rgb c = { 0, 0, 0 };
    printf("%d\n", assign(&c, (struct xyz *)&c));
    return 0;
}
//=== pass: a member through a pointer to its type
struct a { int x; };
static int f(struct a *p, int *q) {
    p->x = 1;
    *q = 2;
    return p->x;
}
int main(void) {
    struct a v;
    return f(&v, &v.x) != 2;
}
//=== pass: a struct inside a struct
struct base { int kind; };
struct derived { struct base base; int more; };
static int f(struct derived *d, struct base *b) {
    d->base.kind = 1;
    b->kind = 2;
    return d->base.kind;
}
int main(void) {
    struct derived d;
    return f(&d, (struct base *)&d) != 2;
}
//=== pass: the same type under two names
typedef struct a { int x, y; } one;
typedef struct a two;
static int f(one *p, const two *q) {
    p->x = 4;
    return q->x;
}
int main(void) {
    struct a v;
    return f(&v, &v) != 4;
}
//=== pass: another struct type by memcpy
#include <string.h>
struct a { int x; };
struct b { int x; };
int main(void) {
    struct a v = { 3 };
    struct b w;
    memcpy(&w, &v, sizeof w);
    return w.x != 3;
}
//=== fail: a member by the name of an alias of another struct
// differs
#include <stdio.h>
struct a { int x, y; };
struct b { float x, y; };
struct a a;
extern struct b b __attribute__((alias("a")));
__attribute__((noinline)) static int f(int *p) {
    *p = 1;
    b.x = 2; // UB
    return *p;
}
int main(void) {
    printf("%d\n", f(&a.x));
    return 0;
}
//=== pass: a member by the name of an alias of its struct
struct a { int x, y[2]; };
struct a a;
extern struct a b __attribute__((alias("a")));
int main(void) {
    b.x = 2;
    b.y[1] = 3;
    struct a c = b;
    return a.x != 2 || a.y[1] != 3 || c.x != 2;
}
