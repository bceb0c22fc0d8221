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
