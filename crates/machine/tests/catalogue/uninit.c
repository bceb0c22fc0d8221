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
//=== fail: read in its own initialiser, after another's value was set
// exploited
short other = 0;
int main(void) {
    int e = e && 1; // UB
    return 0;
}
//=== fail: read in its own initialiser, in a statement expression
long other = 7;
int main(void) {
    long a = ({ long b = 2; a + b; }); // UB
    return a != 2;
}
//=== pass: its own size and address in its initialiser
short other = 0;
int main(void) {
    int e = sizeof e == 4 && &e != 0;
    return !e;
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
//=== fail: a declaration reached again by goto
#include <stdio.h>
int main(void) {
    int n = 0;
again:;
    int x;
    if (n == 0) {
        x = 5;
        n = 1;
        goto again;
    }
    printf("%d\n", x); // UB
    return 0;
}
//=== fail: an array declared again
#include <stdio.h>
static void fill(int *a) { for (int i = 0; i < 4; i++) a[i] = i; }
int main(void) {
    int n = 0;
again:;
    int a[4];
    if (n++ == 0) {
        fill(a);
        goto again;
    }
    printf("%d\n", a[2]); // UB
    return 0;
}
//=== fail: a struct declared again, in a switch
#include <stdio.h>
struct s { int a; unsigned b : 3; union { int i; float f; } u; };
int main(void) {
    int n = 0;
    switch (n) {
    case 0:;
    again:;
        struct s x;
        if (n == 0) {
            x.a = 1, x.b = 2, x.u.i = 3;
            n++;
            goto again;
        }
        x.a = 4;
        printf("%d %d\n", x.a, x.b); // UB
    }
    return 0;
}
//=== fail: declared again inside a statement expression under return
#include <stdio.h>
static int get(int n) {
    return ({
        int k = 0;
    again:;
        int x;
        if (k++ < n) {
            x = k;
            goto again;
        }
        x; // UB
    });
}
int main(void) {
    printf("%d\n", get(1));
    return 0;
}
//=== fail: declared again by a computed goto, its address taken
#include <stdio.h>
static int n;
int main(void) {
    static void *table[] = { &&again, &&out };
again:;
    int x, *p = &x;
    if (n++ == 0) {
        *p = 3;
        goto *table[0];
    }
    printf("%d\n", *p); // UB
out:
    return 0;
}
//=== fail: a jump over an initialiser inside the condition of an if
// exploited
#include <stdio.h>
static int test(int n) {
    if (({
            goto in;
            int x = n;
        in:
            x; // UB
        }))
        return 1;
    return 0;
}
int main(void) {
    printf("%d\n", test(1));
    return 0;
}
//=== fail: a jump over an initialiser inside an initialiser
// exploited
#include <stdio.h>
int main(int argc, char **argv) {
    int r = ({
        if (argc > 0)
            goto in;
        int x = 4;
    in:
        x; // UB
    });
    printf("%d\n", r);
    return 0;
}
//=== pass: initialised each time it is reached
#include <stdio.h>
int main(void) {
    int n = 0, sum = 0;
again:;
    int x = n, a[3] = { n };
    sum += x + a[0] + a[1];
    x = a[1] = 9;
    if (n++ < 3)
        goto again;
    printf("%d\n", sum);
    return 0;
}
// prints: 12
//=== pass: declared before the label
int main(void) {
    int n = 0, x;
    struct { int a[3]; } s;
again:
    if (n++ == 0) {
        x = 5;
        s.a[1] = 2;
        goto again;
    }
    return x + s.a[1] != 7;
}
//=== pass: set again after each declaration
int main(void) {
    int n = 0;
again:;
    int x;
    char text[4];
    x = n;
    text[0] = 'a';
    if (++n < 3)
        goto again;
    return x != 2 || text[0] != 'a';
}
//=== pass: a label after the declaration leaves the value
int main(void) {
    int n = 0, sum = 0;
    {
        int x;
        x = 3;
    again:
        sum += x;
        if (n++ < 2)
            goto again;
    }
    return ({ int y; y = sum; more: if (y < 12) { y++; goto more; } y; }) != 12;
}
//=== fail: a part that the same initialiser sets before
#include <stdio.h>
struct point { int x, y; };
int main(void) {
    struct point p = { 1, p.x + 1 }; // UB
    printf("%d %d\n", p.x, p.y);
    return 0;
}
//=== fail: a part that the same initialiser sets later
// differs
#include <stdio.h>
struct point { int x, y; };
int main(void) {
    struct point p = { .y = p.x + 1, .x = 5 }; // UB
    printf("%d %d\n", p.x, p.y);
    return 0;
}
//=== fail: a part that the initialiser makes zero
#include <stdio.h>
int main(void) {
    int a[3] = { a[2] + 1 }; // UB
    printf("%d %d\n", a[0], a[2]);
    return 0;
}
//=== fail: a part read by a call of the initialiser
#include <stdio.h>
struct point { int x, y; };
static int get(const struct point *p) { return p->x; } // UB
int main(void) {
    struct point p = { 1, get(&p) };
    printf("%d %d\n", p.x, p.y);
    return 0;
}
//=== fail: a bit-field that the same initialiser sets
#include <stdio.h>
struct flags { unsigned a : 3, b : 5; };
int main(void) {
    struct flags f = { 1, f.a + 1 }; // UB
    printf("%d %d\n", f.a, f.b);
    return 0;
}
//=== pass: a part that another object's initialiser sets
struct point { int x, y; };
int main(void) {
    struct point p = { 1, 2 }, q = { p.y, p.x + 1 };
    struct { int n, *p; } self = { 3, &self.n };
    return q.x != 2 || q.y != 2 || *self.p != 3;
}
//=== fail: a character copied unset, in an expression that is watched
static int twice(int n) { return 2 * n; }
int main(void) {
    unsigned char c, d = 1;
    int n = 1;
    if (n > 1)
        n = twice(c = 3) + twice(c = 3);
    d = c; // UB
    return n - 1;
}
