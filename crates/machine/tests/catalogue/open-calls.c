//=== open: two arguments that print
// differs
#include <stdio.h>
static int say(int x) {
    printf("%d ", x);
    return x;
}
static int add(int a, int b) { return a + b; }
int main(void) {
    printf("%d\n", add(say(1), say(2)));
    return 0;
}
//=== open: two numbers from one counter
// differs
#include <stdio.h>
static int last;
static int next(void) { return ++last; }
static int minus(int a, int b) { return a - b; }
int main(void) {
    printf("%d\n", minus(next(), next()));
    return 0;
}
//=== open: two elements popped
// differs
#include <stdio.h>
static int stack[3] = { 1, 2, 3 }, top = 3;
static int pop(void) { return stack[--top]; }
int main(void) {
    printf("%d %d\n", pop(), pop());
    return 0;
}
//=== open: index and value from calls
// differs
#include <stdio.h>
static int n;
static int next(void) { return n++; }
int main(void) {
    int a[2] = { 9, 9 };
    a[next()] = next();
    printf("%d %d\n", a[0], a[1]);
    return 0;
}
//=== open: operands of a sum that print
#include <stdio.h>
static int a(void) {
    putchar('a');
    return 1;
}
static int b(void) {
    putchar('b');
    return 2;
}
int main(void) {
    int s = a() + b();
    printf("%d\n", s);
    return 0;
}
//=== pass: each has its own state
static int x, y;
static int a(void) { return ++x; }
static int b(void) { return ++y; }
static int minus(int p, int q) { return p - q; }
int main(void) { return minus(a(), b()) != 0 || a() - b() != 0; }
//=== pass: the sum is the same
static int last;
static int next(void) { return ++last; }
int main(void) { return next() + next() != 3 || last != 2; }
//=== pass: only one of them prints
#include <stdio.h>
static int loud(void) {
    puts("loud");
    return 1;
}
static int quiet(void) { return 2; }
static int add(int a, int b) { return a + b; }
int main(void) {
    return add(quiet(), loud()) != 3;
    // prints: loud
}
//=== pass: both only read
static int v[3] = { 1, 2, 3 };
static int at(int i) { return v[i]; }
static int minus(int p, int q) { return p - q; }
int main(void) { return minus(at(2), at(0)) != 2; }
//=== pass: a compound assignment reads after the calls of its right side
static unsigned x[1] = { 2 };
static unsigned set(void) {
    x[0] |= 128;
    return 1;
}
static int n = 1;
static int bump(void) { return n += 10; }
int main(void) {
    x[0] |= set();
    n += bump();
    return x[0] != 131 || n != 22;
}
//=== pass: the same in floating and complex arithmetic
static double d = 1;
static _Complex double z = 1;
static double twice(void) { return d *= 2; }
static _Complex double more(void) { return z += 2; }
int main(void) {
    d += twice();
    z += more();
    return d != 4 || __real__ z != 6;
}
//=== open: the place of a compound assignment
// differs
#include <stdio.h>
static int i, a[2] = { 5, 7 };
static int next(void) { return ++i; }
int main(void) {
    a[i] += next();
    printf("%d %d\n", a[0], a[1]);
    return 0;
}
//=== pass: a counter in a recursion
#include <stdio.h>
static int calls;
static int fib(int n) {
    calls++;
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
int main(void) {
    printf("%d\n", fib(10));
    printf("%d\n", calls);
    return 0;
}
// prints: 55
// prints: 177
//=== pass: sums, sets of bits and toggles made by calls
#include <stdio.h>
static int total;
static unsigned seen, flips;
static char narrow;
static int add(int v) {
    total += v;
    seen |= 1u << (v & 7);
    flips ^= (unsigned)v;
    narrow++;
    return v;
}
int main(void) {
    long sum = 0;
    for (int i = 0; i < 100; i++)
        sum += add(i) * add(2) - add(-i) + add(3);
    printf("%ld %d %u %u %d\n", sum, total, seen, flips, narrow);
    return 0;
}
// prints: 15150 500 255 4294967196 -112
//=== open: a counter that is also read
#include <stdio.h>
static int calls;
static int f(int n) {
    calls++;
    return calls * n;
}
int main(void) {
    printf("%d\n", f(1) + f(2) + f(3));
    return 0;
}
//=== open: a sum and a product
#include <stdio.h>
static int x = 1;
static int twice(void) {
    x *= 2;
    return 0;
}
static int more(void) {
    x += 3;
    return 0;
}
static int none(void) { return 0; }
int main(void) {
    int y = none() + twice() + more();
    printf("%d %d\n", x, y);
    return 0;
}
//=== open: updates of different kinds
static unsigned x = 1;
static int set(void) {
    x |= 8;
    return 0;
}
static int add(void) {
    x += 8;
    return 0;
}
static int one(void) { return x & 1; }
int main(void) { return set() + add() + one() + (int)x; }
//=== pass: three numbers in any order have one sum
#include <stdio.h>
static int n;
static int next(void) { return ++n; }
int main(void) {
    printf("%d\n", next() + next() + next());
    printf("%d\n", next() * next());
    return 0;
}
// prints: 6
// prints: 20
//=== open: three numbers in any order have not one difference
#include <stdio.h>
static int n;
static int next(void) { return ++n; }
int main(void) {
    printf("%d\n", next() - next() + next());
    return 0;
}
//=== pass: buffers that are used in turn
#include <stdio.h>
static const char *show(int v) {
    static char room[4][16];
    static int k;
    char *text = room[k++ % 4];
    sprintf(text, "<%d>", v);
    return text;
}
int main(void) {
    printf("%s %s %s\n", show(1), show(2), show(3));
    return 0;
}
// prints: <1> <2> <3>
//=== open: buffers that are used in turn, one too few
// differs
#include <stdio.h>
static const char *show(int v) {
    static char room[2][16];
    static int k;
    char *text = room[k++ % 2];
    sprintf(text, "<%d>", v);
    return text;
}
int main(void) {
    printf("%s %s %s\n", show(1), show(2), show(3));
    return 0;
}
//=== pass: results that are remembered
#include <stdio.h>
static long known[8];
static long fib(int n) {
    if (n < 2)
        return n;
    if (!known[n])
        known[n] = fib(n - 1) + fib(n - 2);
    return known[n];
}
int main(void) {
    printf("%ld\n", fib(6));
    return 0;
}
// prints: 8
//=== pass: nodes from a pool
#include <stdio.h>
struct node {
    int v;
    struct node *l, *r;
};
static struct node pool[8];
static int used;
static struct node *make(int v, struct node *l, struct node *r) {
    struct node *n = &pool[used++];
    n->v = v;
    n->l = l;
    n->r = r;
    return n;
}
static int sum(const struct node *n) { return n ? n->v + sum(n->l) + sum(n->r) : 0; }
int main(void) {
    struct node *t = make(1, make(2, 0, 0), make(3, 0, 0));
    printf("%d %d\n", sum(t), used);
    return 0;
}
// prints: 6 3
//=== open: nodes from a pool, and which one is first
// differs
#include <stdio.h>
static int pool[8], used;
static int *make(int v) {
    pool[used] = v;
    return &pool[used++];
}
static int first(int *a, int *b, int *c) { return *a + *b + *c + pool[0]; }
int main(void) {
    printf("%d\n", first(make(1), make(2), make(3)));
    return 0;
}
//=== open: more orders than are tried
static unsigned n;
static unsigned next(void) { return n = n * 3 + 1; }
int main(void) {
    unsigned x = 0;
    for (int i = 0; i < 20; i++)
        x ^= next() & next() & 1;
    return x & 0;
}
