//=== fail: members through separate pointers
// exploited
// thirty-one: 3
#include <stdio.h>
union number { int i; float f; };
__attribute__((noinline)) static int both(int *i, float *f) {
    *i = 1;
    *f = 2.0f; // UB
    return *i;
}
int main(void) {
    union number n;
    printf("%d\n", both(&n.i, &n.f));
    return 0;
}
//=== fail: long and double of one cell in an array
// exploited
#include <stdio.h>
union cell { long l; double d; };
static union cell cells[2];
__attribute__((noinline)) static double mix(double *d, long *l) {
    *d = 1.0;
    *l = 0; // UB
    return *d;
}
int main(void) {
    union cell *c = &cells[1];
    printf("%d\n", mix(&c->d, &c->l) == 1.0);
    return 0;
}
//=== fail: struct members of a union
// exploited
#include <stdio.h>
struct s { short v[2]; };
union word { int i; struct s s; };
__attribute__((noinline)) static int low(int *i, struct s *s) {
    s->v[0] = 5;
    *i = 6; // UB
    return s->v[0];
}
int main(void) {
    union word w;
    printf("%d\n", low(&w.i, &w.s));
    return 0;
}
//=== fail: a pointer member and another
// exploited
#include <stdio.h>
union ref { char **c; int *i; };
static char *text;
static int num;
__attribute__((noinline)) static int same(int **i, char ***c) {
    *i = &num;
    *c = &text; // UB
    return *i == &num;
}
int main(void) {
    union ref r;
    printf("%d\n", same(&r.i, &r.c));
    return 0;
}
//=== pass: punned by member access
union number { int i; float f; unsigned char b[4]; };
int main(void) {
    union number n, *p = &n;
    n.f = 1.0f;
    int a = n.i;
    p->i = 0x40000000;
    return a != 0x3f800000 || p->f != 2.0f || n.b[3] != 0x40;
}
//=== pass: one member through its pointer
union number { int i; float f; };
static int f(int *a, int *b) {
    *a = 1;
    *b = 2;
    return *a;
}
int main(void) {
    union number n;
    n.f = 3.0f;
    return f(&n.i, &n.i) != 2;
}
//=== pass: each pointer used after its own store only
union number { int i; float f; };
static int get_i(int *p) { return *p; }
static float get_f(float *p) { return *p; }
int main(void) {
    union number n;
    n.i = 5;
    int i = get_i(&n.i);
    n.f = 6.0f;
    return i != 5 || get_f(&n.f) != 6.0f;
}
//=== pass: bytes of the member last stored
union u { long l; char c[8]; };
int main(void) {
    union u v;
    v.l = 0x0102030405060708L;
    char *p = v.c;
    return p[0] != 8 || p[7] != 1;
}
//=== pass: whole unions copied after a bit-field was stored
union bits { signed f : 26; signed char *p; };
struct outer { int k; union { long a; struct { unsigned x : 3, y : 14, z : 20; } b; } u; };
static union bits g[3] = { { 6 }, { 6 }, { 6 } }, *p = &g[2];
static volatile union bits v = { 7 }, *q = &v;
static struct outer o[2] = { { 1, { .b = { 1, 2, 3 } } } }, *r = o;
int main(void) {
    union bits x = *p;
    g[1] = *p;
    (*q);
    struct outer y = *r;
    o[1] = *r;
    return x.f != 6 || g[1].f != 6 || y.u.b.z != 3 || o[1].u.b.y != 2;
}
//=== fail: stores only, through pointers to two members
// exploited
#include <stdio.h>
union cell { int i; float f; };
__attribute__((noinline)) static void put(int *s, float *f, int n, int k) {
    for (int i = 0; i < n; i++) {
        if (i == k)
            *s = i; // UB
        *f = 1;
    }
}
int main(void) {
    union cell c;
    put(&c.i, &c.f, 5, 2);
    printf("%g\n", c.f);
    return 0;
}
//=== fail: one member read and another stored, through pointers
#include <stdio.h>
union cell { int i; float f; };
__attribute__((noinline)) static float swap(float *f, int *i) {
    float old = *f;
    *i = 4; // UB
    return old;
}
int main(void) {
    union cell c = { .f = 2 };
    printf("%g\n", swap(&c.f, &c.i));
    return 0;
}
//=== pass: a member chosen by name, then filled through its pointer
#include <stdio.h>
struct value { int tag; union { int i; double d; char *s; } u; };
static void set_double(double *d) { *d = 1.5; }
static void set_int(int *i) { *i = 3; }
int main(void) {
    // prints: 1.5
    // prints: 3
    struct value v;
    v.u.i = 1;
    set_double(&v.u.d);
    printf("%g\n", v.u.d);
    v.u.s = "text";
    set_int(&v.u.i);
    printf("%d\n", v.u.i);
    return 0;
}
//=== pass: a store by name between two through pointers
union cell { int i; float f; };
int main(void) {
    union cell c;
    int *i = &c.i;
    float *f = &c.f;
    *i = 3;
    c.f = 2.5f;
    *f += 1;
    c.i = 0;
    *i = 7;
    return c.i != 7;
}
//=== pass: the whole union stored between
union cell { int i; float f; };
int main(void) {
    union cell c, zero = { 0 };
    *&c.i = 3;
    c = zero;
    *&c.f = 2.5f;
    return c.f != 2.5f;
}
//=== pass: characters of two structs that overlap
struct text { unsigned char a[8]; };
union both {
    struct { struct text t; int c; } d;
    struct { int c; struct text t; } e;
};
static union both v;
static struct text *p = &v.d.t, *q = &v.e.t;
__attribute__((noinline)) static struct text get(void) { return *p; }
int main(void) {
    for (int i = 0; i < 8; i++)
        p->a[i] = i;
    *q = get();
    return q->a[7] != 7 || q->a[0] != 0;
}
//=== pass: a bit-field beside a union, through a pointer and by its name
struct s { union { long a; int b; } u; int f : 28; unsigned g : 5; };
static struct s s, *p = &s;
int main(void) {
    int f = p->f;
    s.f = 7;
    s.g = 3;
    s.u.b = 2;
    f += p->f + (int)p->g;
    p->f = 1;
    return f != 10 || s.f != 1;
}
