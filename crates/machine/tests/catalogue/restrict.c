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
