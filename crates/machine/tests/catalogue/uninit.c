//=== fail: local never set
// exploited
#include <stdio.h>
int main(void) {
    int x;
    printf("%d\n", x); // UB
    return 0;
}
//=== fail: set on one path only
// exploited
#include <stdio.h>
volatile int yes = 0;
__attribute__((noinline)) static int pick(int c) {
    int v;
    if (c)
        v = 5;
    return v; // UB
}
int main(void) {
    printf("%d\n", pick(yes) == 5);
    return 0;
}
//=== fail: local of a loop body in its next round
#include <stdio.h>
int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int x;
        if (i == 0)
            x = 5;
        sum += x; // UB
    }
    printf("%d\n", sum);
    return 0;
}
//=== fail: initialiser skipped by a switch
// exploited
#include <stdio.h>
volatile int c = 1;
int main(void) {
    switch (c) {
        int base = 40;
    case 0:
        base = 30;
    case 1:
        printf("%d\n", base + 2); // UB
    }
    return 0;
}
//=== fail: member of a struct through a pointer
// exploited
#include <stdio.h>
struct pair { int a, b; };
__attribute__((noinline)) static int total(const struct pair *p) {
    return p->a + p->b; // UB
}
int main(void) {
    struct pair p;
    p.a = 1;
    printf("%d\n", total(&p));
    return 0;
}
//=== fail: heap
// exploited
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int *p = malloc(4 * sizeof *p);
    if (!p)
        return 1;
    p[0] = 1;
    if (p[1] == p[0]) // UB
        puts("equal");
    free(p);
    return 0;
}
//=== fail: grown by realloc
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int *p = calloc(2, sizeof *p);
    if (!p || !(p = realloc(p, 4 * sizeof *p)))
        return 1;
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += p[i]; // UB
    free(p);
    printf("%d\n", sum);
    return 0;
}
//=== fail: neighbour in the same word
#include <stdio.h>
struct bits { unsigned a : 3, b : 5, c : 24; };
int main(void) {
    struct bits s;
    s.a = 1;
    s.c = 2;
    printf("%u\n", s.b); // UB
    return 0;
}
//=== fail: an unsigned char whose address is never taken
#include <stdio.h>
int main(void) {
    unsigned char c;
    unsigned char d = c; // UB
    printf("%d\n", d == d);
    return 0;
}
//=== fail: copied bytes, then used
#include <stdio.h>
#include <string.h>
int main(void) {
    int a[4], b[4];
    a[0] = 7;
    memcpy(b, a, sizeof b);
    int n = b[0];
    n += b[2] * 0; // UB
    printf("%d\n", n);
    return 0;
}
//=== fail: block left by goto and entered again
#include <stdio.h>
int main(void) {
    int round = 0;
again:
    {
        int x;
        if (round == 0)
            x = 3;
        else
            printf("%d\n", x); // UB
    }
    if (round++ == 0)
        goto again;
    return 0;
}
//=== fail: a pointer never set
#include <stdio.h>
struct node { struct node *next; int v; };
int main(void) {
    struct node a, b;
    int sum = 0;
    a.next = &b;
    a.v = b.v = 1;
    for (struct node *p = &a; sum < 3; p = p->next) { // UB
        sum += p->v;
    }
    printf("%d\n", sum);
    return 0;
}
//=== fail: two reads that need not agree
#include <stdio.h>
__attribute__((noinline)) static int odd(int *set) {
    int x;
    if (*set)
        x = *set;
    int y = x & 1; // UB
    return (x | 1) == 8 || y == 2;
}
int main(void) {
    int set = 0;
    printf("%d\n", odd(&set));
    return 0;
}
//=== pass: partly initialised struct copied
struct pair { int a, b; };
int main(void) {
    struct pair p, q;
    p.a = 3;
    q = p;
    struct pair r = q;
    return r.a != 3;
}
//=== pass: bytewise copy of an object that was never set
int main(void) {
    int x, y = 4;
    unsigned char *from = (unsigned char *)&x, *to = (unsigned char *)&y;
    for (unsigned i = 0; i < sizeof x; i++)
        to[i] = from[i];
    y = 5;
    return y != 5;
}
//=== pass: static, calloc and short initialisers are zero
#include <stdlib.h>
static int s;
static struct { int a; char *p; } t;
int main(void) {
    int a[4] = { 1 };
    struct { int x, y; } b = { .y = 2 };
    int *h = calloc(3, sizeof *h);
    if (!h)
        return 0;
    int sum = s + t.a + (t.p != 0) + a[3] + b.x + h[2];
    free(h);
    return sum;
}
//=== pass: set on every path that reads
volatile int c = 0;
int main(void) {
    int x, n = sizeof x;
    if (c)
        x = 1;
    else
        x = 2;
    return x != 2 || n != 4;
}
//=== pass: only some bytes set, only those read
#include <string.h>
int main(void) {
    char buf[16];
    struct { char tag; int rest[4]; } s;
    strcpy(buf, "hello");
    s.tag = 'x';
    return strlen(buf) != 5 || buf[4] != 'o' || s.tag != 'x';
}
//=== pass: bit-fields set one after the other
struct bits { unsigned a : 3, b : 5; };
int main(void) {
    struct bits s;
    s.b = 17;
    s.a = 5;
    return s.a != 5 || s.b != 17;
}
//=== pass: bytes exchanged one by one, whatever they hold
struct s { int a, b; };
static void exchange(void *x, void *y, unsigned n) {
    unsigned char *p = x, *q = y;
    for (unsigned i = 0; i < n; i++) {
        unsigned char t = p[i], u = t;
        p[i] = q[i];
        q[i] = u;
    }
}
int main(void) {
    struct s u, v;
    u.a = 1;
    v.b = 2;
    exchange(&u, &v, sizeof u);
    return v.a + u.b != 3;
}
//=== fail: a byte that was copied, then used
#include <stdio.h>
int main(void) {
    unsigned char c, *p = &c, d;
    d = *p;
    printf("%d\n", d + 1 > 300); // UB
    return 0;
}
