//=== fail: two parameters
// exploited
// thirty-one: 9
#include <stdio.h>
__attribute__((noinline)) static int both(int *restrict a, int *restrict b) {
    *a = 1;
    *b = 2; // UB
    return *a;
}
int main(void) {
    int x = 0;
    printf("%d\n", both(&x, &x));
    return 0;
}
//=== fail: pointer to const read and written around
// exploited
// thirty-one: 10
#include <stdio.h>
__attribute__((noinline)) static int twice(const int *restrict p, int *q) {
    int a = *p;
    *q = 5; // UB
    return a + *p;
}
int main(void) {
    int x = 1;
    printf("%d\n", twice(&x, &x));
    return 0;
}
//=== fail: block scope
#include <stdio.h>
static int v[2] = { 1, 2 };
__attribute__((noinline)) static int inner(int *p) {
    int r = 0;
    {
        int *restrict q = p;
        *q = 3;
        v[0] = 4; // UB
        r = *q;
    }
    return r;
}
int main(void) {
    printf("%d\n", inner(v));
    return 0;
}
//=== fail: overlapping slices in a loop
// exploited
#include <stdio.h>
__attribute__((noinline)) static void add(int n, int *restrict to, const int *restrict from) {
    for (int i = 0; i < n; i++)
        to[i] = from[i] + 1; // UB
}
int main(void) {
    int a[17] = { 0 };
    add(16, a + 1, a);
    printf("%d\n", a[16]);
    return 0;
}
//=== fail: members of a struct
// exploited
#include <stdio.h>
struct args { int *restrict in; int *restrict out; };
__attribute__((noinline)) static int run(struct args a) {
    *a.in = 1;
    *a.out = 2; // UB
    return *a.in;
}
int main(void) {
    int x = 0;
    printf("%d\n", run((struct args){ &x, &x }));
    return 0;
}
//=== fail: through another level
// exploited
#include <stdio.h>
struct box { int n; };
static struct box shared;
__attribute__((noinline)) static struct box *get(void) { return &shared; }
__attribute__((noinline)) static int set(struct box *restrict b) {
    b->n = 1;
    get()->n = 2; // UB
    return b->n;
}
int main(void) {
    printf("%d\n", set(&shared));
    return 0;
}
//=== pass: only read through both
static int sum(const int *restrict a, const int *restrict b, int *restrict out) {
    *out = *a + *b;
    return *out;
}
int main(void) {
    int x = 3, r;
    return sum(&x, &x, &r) != 6;
}
//=== pass: halves of one array
static void copy(int n, int *restrict to, const int *restrict from) {
    while (n-- > 0)
        *to++ = *from++;
}
int main(void) {
    int a[8] = { 1, 2, 3, 4 };
    copy(4, a + 4, a);
    return a[4] != 1 || a[7] != 4;
}
//=== pass: a pointer based on it
static int f(int *restrict p) {
    int *q = p + 1;
    q[-1] = 1;
    *p += 1;
    return *q + q[-1];
}
int main(void) {
    int a[2] = { 0, 5 };
    return f(a) != 7;
}
//=== pass: one call after the other
static void set(int *restrict p, int v) { *p = v; }
int main(void) {
    int x = 1;
    set(&x, 2);
    x += 1;
    set(&x, x + 1);
    return x != 4;
}
//=== pass: even and odd elements
static void add(int n, int *restrict to, const int *restrict from) {
    for (int i = 0; i < n; i += 2)
        to[i] += from[i];
}
int main(void) {
    int a[6] = { 1, 2, 3, 4, 5, 6 };
    add(5, a, a + 1);
    return a[0] != 3 || a[2] != 7 || a[4] != 11 || a[1] != 2;
}
//=== pass: inner pointer from the outer one
static int f(int *restrict p) {
    *p = 1;
    {
        int *restrict q = p;
        *q += 1;
    }
    return *p;
}
int main(void) {
    int x;
    return f(&x) != 2;
}
//=== fail: two pointers of file scope
// exploited
#include <stdio.h>
static int *restrict a, *restrict b, x;
__attribute__((noinline)) static int both(void) {
    *a = 1;
    *b = 2; // UB
    return *a;
}
int main(void) {
    a = &x;
    b = &x;
    printf("%d\n", both());
    return 0;
}
//=== fail: a pointer of file scope and the object's name
// exploited
#include <stdio.h>
static int *restrict p, x;
__attribute__((noinline)) static int both(void) {
    *p = 1;
    x = 2; // UB
    return *p;
}
int main(void) {
    p = &x;
    printf("%d\n", both());
    return 0;
}
//=== fail: members of a struct of file scope
// exploited
#include <stdio.h>
static struct { int *restrict in, *restrict out; } g;
static int x;
__attribute__((noinline)) static int both(void) {
    *g.in = 1;
    *g.out = 2; // UB
    return *g.in;
}
int main(void) {
    g.in = g.out = &x;
    printf("%d\n", both());
    return 0;
}
//=== fail: elements of an array of file scope
#include <stdio.h>
static int *restrict a[2], x;
__attribute__((noinline)) static int both(int i, int k) {
    *a[i] = 1;
    *a[k] = 2; // UB
    return *a[i];
}
int main(void) {
    a[0] = &x;
    a[1] = &x;
    printf("%d\n", both(0, 1));
    return 0;
}
//=== fail: a pointer of file scope that is written around much later
#include <stdio.h>
#include <stdlib.h>
static int *restrict table;
int main(void) {
    int *raw = calloc(4, sizeof *raw);
    if (!raw)
        return 1;
    table = raw;
    for (int i = 0; i < 4; i++)
        table[i] = i;
    printf("%d\n", table[3]);
    raw[3] = 7; // UB
    free(raw);
    return 0;
}
//=== fail: a static pointer of a block
#include <stdio.h>
static int x;
__attribute__((noinline)) static int *get(void) { return &x; }
static int both(void) {
    static int *restrict p;
    p = get();
    *p = 1;
    x = 2; // UB
    return *p;
}
int main(void) {
    printf("%d\n", both());
    return 0;
}
//=== pass: buffers of file scope
#include <stdlib.h>
static int *restrict from, *restrict to;
static struct { const char *restrict text; int *restrict count; } job;
static int n;
int main(void) {
    from = calloc(4, sizeof *from);
    to = malloc(4 * sizeof *to);
    if (!from || !to)
        return 0;
    job.text = "abc";
    job.count = &n;
    for (int i = 0; i < 4; i++) {
        from[i] = i;
        to[i] = 2 * from[i];
        ++*job.count;
    }
    int wrong = to[3] != 6 || *job.count != 4 || job.text[0] != 'a';
    free(from);
    free(to);
    return wrong;
}
//=== pass: a pointer of file scope that gets another object
static int a[2], b[2], *restrict p;
static void fill(int v) {
    for (int i = 0; i < 2; i++)
        p[i] = v;
}
int main(void) {
    p = a;
    fill(1);
    p = b;
    fill(2);
    p = a;
    return p[0] != 1;
}
//=== pass: a static pointer in one call after the other
static int x;
static int add(int *to, int v) {
    static int *restrict p;
    p = to;
    *p += v;
    return *p;
}
int main(void) {
    add(&x, 1);
    x += 10;
    add(&x, 2);
    return x != 13;
}
//=== pass: read through a pointer of file scope and by name
static int x = 3, *restrict p = &x;
int main(void) { return *p + x != 6; }
//=== fail: stored around it after it was set, and before it is used
#include <stdio.h>
int main(void) {
    int a[2] = { 0 };
    int *restrict p = a;
    a[1] = 2;
    printf("%d\n", p[1]); // UB
    return 0;
}
//=== fail: a pointer of the round before
#include <stdio.h>
int main(void) {
    int v = 1, sum = 0;
    int *old = 0;
    for (int i = 0; i < 2; i++) {
        int *restrict q = &v;
        if (old)
            *old = 5;
        sum += *q; // UB
        old = q;
    }
    printf("%d\n", sum);
    return 0;
}
//=== fail: recursion that comes back to the object
#include <stdio.h>
static int v;
static int down(int *restrict p, int n) {
    *p = n; // UB
    if (n)
        down(&v, n - 1);
    return *p;
}
int main(void) {
    printf("%d\n", down(&v, 1));
    return 0;
}
//=== fail: moving pointers that overlap
#include <stdio.h>
static void move(int n, int *restrict to, const int *restrict from) {
    while (n--)
        *to++ = *from++; // UB
}
int main(void) {
    int a[9] = { 1 };
    move(8, a + 1, a);
    printf("%d\n", a[8]);
    return 0;
}
//=== pass: recursion that hands its pointer on
static int down(int *restrict p, int n) {
    *p += n;
    if (n)
        down(p, n - 1);
    return *p;
}
int main(void) {
    int v = 0;
    return down(&v, 4) == 10 ? 0 : 1;
}
//=== pass: a new pointer in each round
int main(void) {
    int v[4] = { 1, 2, 3, 4 }, sum = 0;
    for (int i = 0; i < 3; i++) {
        int *restrict q = v + i;
        int *restrict r = v + i + 1;
        *q += *r;
        sum += *q;
    }
    return sum == 15 ? 0 : 1;
}
//=== pass: moving pointers side by side
static void move(int n, int *restrict to, const int *restrict from) {
    while (n--)
        *to++ = *from++;
}
int main(void) {
    int a[8] = { 1, 2, 3, 4 };
    move(4, a + 4, a);
    return a[7] == 4 ? 0 : 1;
}
//=== pass: restrict members of an allocated struct, two objects
// prints: 1 2
#include <stdio.h>
#include <stdlib.h>
struct pair { int *restrict p, *restrict q; };
__attribute__((noinline)) static int both(struct pair *restrict v) {
    *v->p = 1;
    *v->q = 2;
    return *v->p;
}
int main(void) {
    int x = 0, y = 0;
    struct pair *v = malloc(sizeof *v);
    v->p = &x;
    v->q = &y;
    int r = both(v);
    printf("%d %d\n", r, y);
    free(v);
    return 0;
}
//=== pass: a restrict member of a compound literal, a global in another call
// prints: 1 2 3
#include <stdio.h>
static int x;
struct one { int *restrict p; };
__attribute__((noinline)) static int set(struct one *v, int n) {
    *v->p = n;
    int *other = v->p;
    return *other;
}
int main(void) {
    int a = set(&(struct one){ &x }, 1);
    x = 2;
    int b = x;
    int c = set(&(struct one){ &x }, 3);
    printf("%d %d %d\n", a, b, c);
    return 0;
}
