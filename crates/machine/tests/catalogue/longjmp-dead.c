//=== fail: to a function that has returned
// exploited
#include <setjmp.h>
#include <stdio.h>
static jmp_buf env;
static int times;
__attribute__((noinline)) static int mark(void) {
    if (setjmp(env))
        return 1;
    return 0;
}
int main(void) {
    int r = mark();
    printf("%d\n", r);
    fflush(stdout);
    if (times++ < 1)
        longjmp(env, 7); // UB
    return 0;
}
//=== fail: buffer never set
#include <setjmp.h>
#include <stdio.h>
static jmp_buf env;
static void fail(void) {
    longjmp(env, 1); // UB
}
int main(void) {
    puts("before");
    fflush(stdout);
    fail();
    return 0;
}
//=== fail: handler of a call that is over
// thirty-one: 24
#include <setjmp.h>
#include <stdio.h>
struct handler { jmp_buf env; int used; };
static struct handler h;
static int depth;
__attribute__((noinline)) static void guarded(int v) {
    if (setjmp(h.env))
        h.used++;
    else
        depth += v;
}
__attribute__((noinline)) static void raise_error(void) {
    if (h.used < 1)
        longjmp(h.env, 1); // UB
}
int main(void) {
    guarded(1);
    raise_error();
    printf("%d %d\n", depth, h.used);
    return 0;
}
//=== fail: copied buffer of a dead frame
// exploited
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
static jmp_buf saved;
static int n;
__attribute__((noinline)) static void start(void) {
    jmp_buf env;
    if (setjmp(env) == 0)
        memcpy(&saved, &env, sizeof env);
    n++;
}
int main(void) {
    start();
    if (n < 2)
        longjmp(saved, 1); // UB
    printf("%d\n", n);
    return 0;
}
//=== pass: out of a callee
#include <setjmp.h>
static jmp_buf env;
static void fail(int n) {
    if (n == 0)
        longjmp(env, 3);
    fail(n - 1);
}
int main(void) {
    switch (setjmp(env)) {
    case 0: fail(5); return 1;
    case 3: return 0;
    }
    return 2;
}
//=== pass: a value of zero becomes one, several times
#include <setjmp.h>
static jmp_buf env;
static int n;
int main(void) {
    if (setjmp(env) == 1) {
        if (n == 3)
            return 0;
    }
    n++;
    if (n > 3)
        return 1;
    longjmp(env, 0);
}
//=== pass: the same buffer set again
#include <setjmp.h>
static jmp_buf env;
static int seen;
static void first(void) {
    if (setjmp(env) == 0)
        return;
    seen = 1;
}
int main(void) {
    first();
    if (setjmp(env) == 0)
        longjmp(env, 1);
    return seen;
}
//=== pass: a local buffer used twice
#include <setjmp.h>
int main(void) {
    jmp_buf env;
    volatile int n = 0;
    int r = 0;
    switch (setjmp(env)) {
    case 0: longjmp(env, 1);
    case 1: n++; longjmp(env, 2);
    case 2: n++; longjmp(env, 3);
    }
    return n != 2 || r;
}
//=== pass: a buffer of the frame handed down and set again
#include <setjmp.h>
#include <stdio.h>
static void fail(jmp_buf *to, int n) { longjmp(*to, n); }
static int run(int n) {
    jmp_buf env;
    volatile int tries = 0;
    if (setjmp(env) != 0)
        tries++;
    if (tries < n)
        fail(&env, 1);
    if (setjmp(env) == 0)
        fail(&env, 5);
    return tries;
}
int main(void) {
    printf("%d\n", run(4));
    return 0;
}
// prints: 4
//=== pass: allocated memory that others can reach keeps what was stored
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { int v; struct node *next; };
struct ctx { jmp_buf env; int n; int *q; char name[8]; };
static struct node *list;
static jmp_buf env;
static void add(int v) {
    struct node *n = malloc(sizeof *n);
    n->v = v;
    n->next = list;
    list = n;
}
static void work(void) {
    for (struct node *n = list; n; n = n->next)
        n->v++;
    add(9);
    longjmp(env, 1);
}
static void parse(struct ctx *c) {
    c->n = 2;
    *c->q = 7;
    strcpy(c->name, "abc");
    longjmp(c->env, 1);
}
static int on(int *p) {
    *p = 1;
    if (setjmp(env) == 0) {
        *p = 2;
        longjmp(env, 1);
    }
    return *p;
}
int main(void) {
    add(1);
    add(2);
    if (setjmp(env) == 0)
        work();
    for (struct node *n = list; n; n = n->next)
        printf("%d ", n->v);
    struct ctx *c = malloc(sizeof *c);
    c->q = malloc(sizeof *c->q);
    *c->q = 3;
    c->n = 1;
    if (setjmp(c->env) == 0)
        parse(c);
    printf("%d %d %s ", c->n, *c->q, c->name);
    printf("%d\n", on(c->q));
    return 0;
}
// prints: 9 3 2 2 7 abc 2
