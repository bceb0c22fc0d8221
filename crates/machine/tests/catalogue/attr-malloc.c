//=== fail: the same buffer every time
#include <stdio.h>
static int buffer[4];
__attribute__((malloc, noinline)) static int *fresh(void) {
    return buffer; // UB
}
int main(void) {
    int *p = fresh();
    *p = 1;
    int *q = fresh();
    *q = 2;
    printf("%d\n", *p);
    return 0;
}
//=== fail: its own argument
// exploited
#include <stdio.h>
__attribute__((malloc, noinline)) static int *pass(int *p) {
    return p; // UB
}
int main(void) {
    int x = 1;
    int *q = pass(&x);
    *q = 2;
    printf("%d\n", x);
    return 0;
}
//=== fail: a cell of a pool that is in use
// exploited
#include <stdio.h>
struct pool { int cells[4]; int used; };
static struct pool pool;
__attribute__((malloc, noinline)) static int *take(void) {
    return &pool.cells[pool.used++]; // UB
}
int main(void) {
    pool.cells[0] = 1;
    int *p = take();
    *p = 2;
    printf("%d\n", pool.cells[0]);
    return 0;
}
//=== pass: fresh memory
#include <stdlib.h>
__attribute__((malloc, noinline)) static int *fresh(int v) {
    int *p = malloc(sizeof *p);
    if (p)
        *p = v;
    return p;
}
int main(void) {
    int *p = fresh(1), *q = fresh(2);
    int r = p && q && *p + *q != 3;
    free(p);
    free(q);
    return r;
}
//=== pass: null
#include <stdlib.h>
__attribute__((malloc, noinline)) static void *none(void) { return NULL; }
int main(void) { return none() != NULL; }
//=== pass: memory cleared, size promised
#include <stdlib.h>
__attribute__((malloc, alloc_size(1), noinline)) static char *zeroed(unsigned long n) { return calloc(n, 1); }
int main(void) {
    char *p = zeroed(8);
    if (!p)
        return 0;
    int r = p[7] != 0;
    free(p);
    return r;
}
//=== fail: the pointer is kept elsewhere
// exploited
#include <stdio.h>
#include <stdlib.h>
static int *last;
__attribute__((malloc, noinline)) static int *make(void) {
    int *p = malloc(sizeof(int));
    last = p;
    return p; // UB
}
int main(void) {
    int *p = make();
    *p = 1;
    *last = 2;
    printf("%d\n", *p);
    return 0;
}
//=== fail: the object points to itself
// exploited
#include <stdio.h>
#include <stdlib.h>
struct node { struct node *next; int value; };
__attribute__((malloc, noinline)) static struct node *make(void) {
    struct node *n = malloc(sizeof *n);
    n->next = n;
    return n; // UB
}
int main(void) {
    struct node *n = make();
    n->value = 1;
    n->next->value = 2;
    printf("%d\n", n->value);
    return 0;
}
//=== fail: only the caller's file has the attribute
// exploited
#include <stdio.h>
__attribute__((malloc)) int *get(void);
extern int x;
int main(void) {
    int *p = get();
    *p = 1;
    x = 2;
    printf("%d\n", *p);
    return 0;
}
//=== file: b.c
int x;
int *get(void) {
    return &x; // UB
}
//=== pass: a wrapper of malloc with a local whose address is taken
// prints: 7
#include <stdio.h>
#include <stdlib.h>
static void set(int **p) { **p = 7; }
__attribute__((malloc, noinline)) static int *make(void) {
    int *p = malloc(sizeof(int));
    if (!p)
        abort();
    set(&p);
    return p;
}
int main(void) {
    int *p = make();
    printf("%d\n", *p);
    free(p);
    return 0;
}
//=== fail: an alias promises new memory
// differs
#include <stdio.h>
static int buf[4];
int *f(void) {
    return buf; // UB
}
int *g(void) __attribute__((alias("f"), malloc));
__attribute__((noinline)) static int h(void) {
    int *p = g(), *q = g();
    *p = 1;
    *q = 2;
    return *p;
}
int main(void) {
    printf("%d\n", h());
    return 0;
}
