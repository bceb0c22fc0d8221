//=== unsupported: common initial sequence with the union in scope
// exploited
#include <stdio.h>
struct a { int kind; int x; };
struct b { int kind; float y; };
union both { struct a a; struct b b; };
__attribute__((noinline)) static int change(struct a *p, struct b *q) {
    p->kind = 1;
    q->kind = 2;
    return p->kind;
}
int main(void) {
    union both u;
    u.a = (struct a){ 0, 0 };
    printf("%d\n", change(&u.a, &u.b));
    return 0;
}
//=== unsupported: common initial sequence read through a pointer
#include <stdio.h>
struct circle { int kind; double r; };
struct square { int kind; int side; };
union shape { struct circle c; struct square s; };
static int kind(const struct square *s) { return s->kind; }
int main(void) {
    union shape u;
    u.c.kind = 7;
    u.c.r = 1.0;
    printf("%d\n", kind(&u.s));
    return 0;
}
//=== unsupported: a pointer rebuilt from an integer that equals one past
// or: one-past-deref
#include <stdint.h>
#include <stdio.h>
int main(void) {
    int a[2] = { 1, 2 }, b[2] = { 3, 4 };
    uintptr_t end = (uintptr_t)(a + 2), start = (uintptr_t)b;
    int *p = (int *)end;
    *p = 9;
    printf("%d %d\n", b[0], start != 0);
    return 0;
}
//=== unsupported: the same, if it is the neighbour
// or: unspecified
#include <stdint.h>
#include <stdio.h>
int main(void) {
    int a[2] = { 1, 2 }, b[2] = { 3, 4 };
    uintptr_t end = (uintptr_t)(a + 2), start = (uintptr_t)b;
    if (end == start)
        *(int *)end = 9;
    printf("%d\n", b[0]);
    return 0;
}
//=== unsupported: two struct types on the heap
// exploited
// or: alias-struct
#include <stdio.h>
#include <stdlib.h>
struct a { int x; };
struct b { int x; };
__attribute__((noinline)) static int both(struct a *p, struct b *q) {
    p->x = 1;
    q->x = 2;
    return p->x;
}
int main(void) {
    void *m = malloc(sizeof(struct a));
    if (!m)
        return 1;
    printf("%d\n", both(m, m));
    free(m);
    return 0;
}
//=== unsupported: heap changed between setjmp and longjmp
// exploited
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
static jmp_buf env;
int main(void) {
    int *h = calloc(1, sizeof *h);
    if (!h)
        return 1;
    if (setjmp(env) == 0) {
        *h = 4;
        longjmp(env, 1);
    }
    printf("%d\n", *h);
    free(h);
    return 0;
}
//=== unsupported: heap changed by a callee that jumps
// exploited
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
static jmp_buf env;
__attribute__((noinline)) static void work(int *p) {
    *p = 2;
    longjmp(env, 1);
}
int main(void) {
    int *p = malloc(sizeof *p);
    *p = 1;
    if (setjmp(env) == 0)
        work(p);
    printf("%d\n", *p);
    return 0;
}
//=== unsupported: heap that only other private heap leads to
// exploited
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
struct node { int v; struct node *next; };
static jmp_buf env;
int main(void) {
    struct node *q = malloc(sizeof *q), *p = malloc(sizeof *p);
    q->next = p;
    q->v = 0;
    p->next = 0;
    p->v = 1;
    if (setjmp(env) == 0) {
        p->v = 2;
        longjmp(env, 1);
    }
    printf("%d\n", q->next->v);
    return 0;
}
//=== unsupported: heap written by the library, known to others too late
// exploited
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static jmp_buf env;
char *known;
int main(void) {
    char *p = malloc(4);
    memcpy(p, "a", 2);
    if (setjmp(env) == 0) {
        memcpy(p, "b", 2);
        known = p;
        longjmp(env, 1);
    }
    printf("%s\n", p);
    return 0;
}
//=== unsupported: longjmp into a block that was left
#include <setjmp.h>
#include <stdio.h>
static jmp_buf env;
static volatile int times;
int main(void) {
    {
        int x[2] = { 1, 2 }, *p = x;
        if (setjmp(env))
            times++;
        p[0] = times;
    }
    {
        int y[2] = { 3, 4 }, *p = y;
        if (times < 1)
            longjmp(env, *p);
    }
    printf("%d\n", times);
    return 0;
}
//=== unsupported: asm that adds
#include <stdio.h>
int main(void) {
    int x = 1;
    __asm__("addl $2, %0" : "+r"(x));
    printf("%d\n", x);
    return 0;
}
//=== unsupported: asm output without an input
#include <stdio.h>
int main(void) {
    int x;
    __asm__("" : "=r"(x));
    printf("%d\n", x * 0);
    return 0;
}
//=== unsupported: asm goto
#include <stdio.h>
int main(void) {
    __asm__ goto("jmp %l0" : : : : skip);
    puts("not skipped");
skip:
    puts("end");
    return 0;
}
//=== unsupported: a function named by asm
#include <stdio.h>
int one(void) __asm__("other_name");
int one(void) { return 1; }
extern int other_name(void);
int main(void) {
    printf("%d\n", other_name());
    return 0;
}
//=== unsupported: attribute optimize
// differs
#include <stdio.h>
__attribute__((optimize("fast-math"))) static int is_nan(double d) { return d != d; }
int main(void) {
    volatile double zero = 0;
    double z = zero;
    printf("%d\n", is_nan(z / z));
    return 0;
}
//=== unsupported: attribute scalar_storage_order
// differs
#include <stdio.h>
struct __attribute__((scalar_storage_order("big-endian"))) net { int v; };
int main(void) {
    struct net n = { 1 };
    printf("%d\n", *(unsigned char *)&n);
    return 0;
}
//=== unsupported: attribute ms_struct
// differs
#include <stdio.h>
struct __attribute__((ms_struct)) s { char a : 4; int b : 4; };
int main(void) {
    printf("%d\n", (int)sizeof(struct s));
    return 0;
}
//=== unsupported: attribute ifunc
#include <stdio.h>
static int fast(void) { return 1; }
static int (*resolve(void))(void) { return fast; }
int pick(void) __attribute__((ifunc("resolve")));
int main(void) {
    printf("%d\n", pick());
    return 0;
}
//=== unsupported: return address
#include <stdio.h>
__attribute__((noinline)) static int known(void) { return __builtin_return_address(0) != 0; }
int main(void) {
    printf("%d\n", known());
    return 0;
}
//=== unsupported: cpu features
#include <stdio.h>
int main(void) {
    __builtin_cpu_init();
    printf("%d\n", __builtin_cpu_supports("sse2") != 0);
    return 0;
}
//=== unsupported: a file
#include <stdio.h>
int main(void) {
    FILE *f = fopen("/dev/null", "r");
    printf("%d\n", f != 0);
    return 0;
}
//=== unsupported: a locale
#include <locale.h>
int main(void) {
    return setlocale(LC_ALL, "") == 0;
}
//=== unsupported: a signal handler
#include <signal.h>
static volatile sig_atomic_t seen;
static void handler(int number) { seen = number; }
int main(void) {
    return signal(SIGINT, handler) == SIG_ERR;
}
//=== unsupported: a power that is not exact
#include <stdio.h>
double pow(double, double);
int main(void) {
    volatile double x = 1.1;
    printf("%.20g\n", pow(x, 3));
    return 0;
}
//=== pass: asm that only hides a value
int main(void) {
    int x = 3, y = 0;
    __asm__("" : "+r"(x));
    __asm__("" : "=r"(y) : "0"(x));
    __asm__ volatile("" ::: "memory");
    __asm__("" : "+m"(y));
    return x != 3 || y != 3;
}
//=== pass: attributes that change nothing
struct __attribute__((aligned(16))) wide { char c; };
__attribute__((noinline, cold, unused)) static int f(int x) { return x; }
__attribute__((always_inline, hot)) static inline int g(int x) { return x; }
__attribute__((used, section(".data.here"))) static int kept = 2;
int main(void) { return f(1) + g(2) + kept != 5 || sizeof(struct wide) != 16; }
//=== pass: attributes that are modelled
static int state;
static void reset(int *p) { state += *p; }
__attribute__((constructor)) static void before(void) { state = 10; }
typedef int vec __attribute__((vector_size(16)));
typedef int byte __attribute__((mode(QI)));
__attribute__((weak)) int maybe(void) { return 4; }
int main(void) {
    {
        __attribute__((cleanup(reset))) int x = 5;
    }
    vec v = { 1, 2, 3, 4 };
    v += v;
    return state != 15 || v[3] != 8 || sizeof(byte) != 1 || maybe() != 4;
}
//=== unsupported: local that changed since __builtin_setjmp
static void *buffer[5];
__attribute__((noinline)) static void back(void) { __builtin_longjmp(buffer, 1); }
int main(void) {
    int a = 0;
    if (__builtin_setjmp(buffer) == 0) {
        a = 1;
        back();
    }
    return a;
}
//=== pass: attribute optimize with a level
__attribute__((optimize(1))) static int *same(int *p) { return p; }
__attribute__((optimize("O0,no-tree-vectorize"), noinline)) static int twice(int x) { return 2 * x; }
int main(void) {
    int c = 1;
    *same(&c) = 2;
    return twice(c) != 4;
}
//=== unsupported: attribute optimize that gives a meaning to what has none
static int val;
__attribute__((optimize("-fno-strict-aliasing"))) static void zero(float *p) { *p = 0; }
int main(void) {
    zero((float *)&val);
    return val;
}
//=== pass: asm with one object in memory as output and input
int main(void) {
    unsigned x = 254;
    __asm__ volatile("" : "=m"(x) : "m"(x));
    return x != 254;
}
//=== unsupported: asm output in memory that nobody sets
int main(void) {
    unsigned x = 254;
    __asm__ volatile("" : "=m"(x));
    return x != 254;
}
//=== unsupported: a label and a number
int main(void) {
    void *p = &&here + 16;
    goto *p;
here:
    return 0;
}
//=== unsupported: complex product that gcc rounds differently when it folds
#include <stdio.h>
int main(void) {
    double _Complex z = 3.3 - 1.1i, w = 2.0 - 1.5i;
    z = z * w;
    printf("%.17g\n", __imag__ z);
    return 0;
}
//=== unsupported: variable length array whose size wraps
int main(void) {
    unsigned long long n = 1ull << 20;
    return sizeof(char[n][n][n][n]) != 0;
}
//=== unsupported: weak function that nothing defines
__attribute__((weak)) extern int maybe_there(void);
int main(void) { return maybe_there ? 1 : 0; }
//=== unsupported: weak object that nothing defines
extern int maybe_there __attribute__((weak));
int main(void) { return &maybe_there ? 1 : 0; }
//=== pass: weak object that is defined
extern int there __attribute__((weak));
int there = 3;
int main(void) { return &there ? there - 3 : 1; }
//=== pass: cleanup of variables whose declaration was reached, and no others
// prints: cl 1
// prints: cl 3
// prints: 4
#include <stdio.h>
static int count;
static void cl(int *p) {
    count += *p;
    printf("cl %d\n", *p);
}
int main(void) {
    for (int i = 0; i < 5; i++) {
        if (i % 2 == 0)
            continue;
        __attribute__((cleanup(cl))) int s = i;
    }
    printf("%d\n", count);
    return 0;
}
//=== pass: jumps past, into and back over cleanups
// prints: 2 10 10 101
#include <stdio.h>
static int order[8], at;
static void cl(int *p) { order[at++] = *p; }
static int early(int c) {
    if (c)
        return 1;
    __attribute__((cleanup(cl))) int t = 7;
    return 0;
}
int main(void) {
    int again = 0;
    do {
        if (early(1) == 2)
            break;
        __attribute__((cleanup(cl))) int s = 2;
        if (s)
            break;
    } while (0);
back:;
    {
        __attribute__((cleanup(cl))) int t = 10;
        if (!again++)
            goto back;
    }
    for (int i = ({ __attribute__((cleanup(cl))) int z = 101; z; }); i < 100; i++)
        ;
    printf("%d %d %d %d\n", order[0], order[1], order[2], order[3]);
    return at != 4;
}
//=== unsupported: clang lets cleanups change a struct that is returned
#include <stdio.h>
struct s { int a, b[4]; };
static struct s *seen;
static int last;
static void cl(struct s *p) { p->a = 9; last = p->a; }
static struct s make(void) {
    __attribute__((cleanup(cl))) struct s x = { 1 };
    return x;
}
int main(void) {
    struct s got = make();
    printf("%d %d\n", got.a, last);
    return 0;
}
//=== pass: constructors and destructors by priority, then as they come
// prints: a b c d main z y x w
#include <stdio.h>
__attribute__((constructor)) static void third(void) { printf("c "); }
__attribute__((constructor)) static void fourth(void) { printf("d "); }
__attribute__((constructor(201))) static void second(void) { printf("b "); }
__attribute__((constructor(101))) static void first(void) { printf("a "); }
__attribute__((destructor(101))) static void last(void) { printf("w\n"); }
__attribute__((destructor(201))) static void earlier(void) { printf("x "); }
__attribute__((destructor)) static void after_z(void) { printf("y "); }
__attribute__((destructor)) static void after_main(void) { printf("z "); }
int main(void) {
    printf("main ");
    return 0;
}
//=== unsupported: constant of an enumeration that reaches beyond int
enum e { A = 1, B = 0x80000000 };
int main(void) { return A - 2 < 0; }
//=== pass: enumeration beyond int whose constants all do not fit
enum e { A = 0x90000000, B = 0x80000000 };
int main(void) { return A - B != 0x10000000; }
//=== unsupported: promise on a pointer to functions
static int n;
static int g(int x) { n++; return x; }
int (*fp)(int) __attribute__((const)) = g;
int main(void) { return fp(1) + fp(1) + n; }
//=== unsupported: promise on a type of functions
typedef int fn(int *) __attribute__((nonnull));
static fn f;
static int f(int *p) { return p == 0; }
int main(void) { return f(0); }
//=== unsupported: promise on a parameter
static int f(int *p __attribute__((nonnull))) { return p == 0; }
int main(void) { return f(0); }
//=== unsupported: promise on a member
static int g(int x) { return x; }
struct s { int (*f)(int) __attribute__((const)); };
int main(void) { struct s s = { g }; return s.f(0); }
//=== unsupported: leaf
int f(int) __attribute__((leaf));
int f(int x) { return x; }
int main(void) { return f(0); }
//=== unsupported: alloc_align
#include <stdlib.h>
static char pool[64] __attribute__((aligned(64)));
__attribute__((alloc_align(1))) static void *get(size_t align) { return pool + 8; }
int main(void) { return get(32) == 0; }
//=== unsupported: loop whose iterations are promised to be independent
int main(void) {
    int a[8] = { 0 };
#pragma GCC ivdep
    for (int i = 1; i < 8; i++)
        a[i] = a[i - 1] + 1;
    return a[7] != 7;
}
//=== unsupported: clang's pragmas that say how to compute
int main(void) {
#pragma clang fp reassociate(on)
    volatile double x = 1e16, y = 1;
    return x + y - x != 0;
}
//=== unsupported: layout by a pragma of clang's
#pragma options align=packed
struct s { char c; int i; };
int main(void) { return sizeof(struct s) != 8; }
//=== pass: pragmas that say nothing of behaviour
// prints: 1
#include <stdio.h>
#pragma GCC diagnostic ignored "-Wall"
#pragma STDC FENV_ACCESS OFF
#pragma clang diagnostic push
#pragma once
#pragma unheard of
int main(void) {
#pragma GCC unroll 4
    for (int i = 0; i < 1; i++)
        puts("1");
    return 0;
}
//=== unsupported: address of an array in a value that was read
struct s { int a[3]; };
int main(void) {
    struct s s = { { 1, 2, 3 } };
    return (0, s).a == s.a;
}
//=== unsupported: array in a value that was assigned
struct s { int a[3]; };
static int g(const int *t, struct s *s) { s->a[0] = 9; return t[0]; }
int main(void) {
    struct s s = { { 1 } }, u = { { 4 } };
    return g((s = u).a, &s) != 4;
}
//=== pass: elements of arrays in values
struct s { int a[3]; };
static struct s f(void) { return (struct s){ { 7, 8, 9 } }; }
static int first(const int *p) { return *p; }
int main(void) {
    struct s s = { { 1, 2, 3 } }, u = { { 4, 5, 6 } };
    return (0, s).a[1] != 2 || *(s = u).a != 4 || first(f().a) != 7;
}
//=== unsupported: restrict members of an allocated struct, one object
// exploited
#include <stdio.h>
#include <stdlib.h>
struct pair { int *restrict p, *restrict q; };
__attribute__((noinline)) static int both(struct pair *restrict v) {
    *v->p = 1;
    *v->q = 2;
    return *v->p;
}
int main(void) {
    int x = 0;
    struct pair *v = malloc(sizeof *v);
    v->p = &x;
    v->q = &x;
    printf("%d\n", both(v));
    free(v);
    return 0;
}
//=== unsupported: a restrict member of a compound literal and a global
// exploited
#include <stdio.h>
static int x;
struct one { int *restrict p; };
__attribute__((noinline)) static int beside(struct one *restrict v) {
    *v->p = 1;
    x = 2;
    return *v->p;
}
int main(void) {
    printf("%d\n", beside(&(struct one){ &x }));
    return 0;
}
//=== unsupported: a plain pointer reached through a pointer to a restrict pointer
// exploited
#include <stdio.h>
static int g;
__attribute__((noinline)) static int through(int *restrict *restrict a) {
    **a = 1;
    g = 2;
    return **a;
}
int main(void) {
    int *p = &g;
    printf("%d\n", through((int *restrict *)&p));
    return 0;
}
