//=== fail: a block that must be aligned to sixteen
#include <stdio.h>
#include <stdlib.h>
struct block { _Alignas(16) long v[2]; };
__attribute__((noinline)) static void copy(struct block *to, const struct block *from) { *to = *from; }
int main(void) {
    char *raw = calloc(64, 1);
    if (!raw)
        return 1;
    struct block b = { { 1, 2 } };
    copy((struct block *)(raw + 8), &b); // UB
    puts("copied");
    return 0;
}
//=== fail: an odd place for a wide integer
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) static void put(void *at, __int128 v) {
    __int128 *p = at; // UB
    *p = v;
}
int main(void) {
    char *raw = calloc(64, 1);
    if (!raw)
        return 1;
    put(raw + 8, 3);
    printf("%d\n", raw[8]);
    return 0;
}
//=== fail: a struct of ints as a vector
// exploited
#include <stdio.h>
typedef int v4 __attribute__((vector_size(16)));
static struct { int pad, a, b, c, d; } g = { 9, 1, 2, 3, 4 };
__attribute__((noinline)) static void twice(v4 *p) { *p += *p; }
int main(void) {
    twice((v4 *)&g.a); // UB
    printf("%d\n", g.d);
    return 0;
}
//=== fail: an array of ints as a vector, aligned by luck
#include <stdio.h>
typedef int v4 __attribute__((vector_size(16)));
static int g[4] = { 1, 2, 3, 4 };
int main(void) {
    v4 *p = (v4 *)g; // UB
    printf("%d\n", (*p)[2]);
    return 0;
}
//=== fail: more than malloc promises
#include <stdio.h>
#include <stdlib.h>
struct line { _Alignas(64) int v[16]; };
int main(void) {
    struct line *p = malloc(sizeof *p); // UB
    if (!p)
        return 1;
    puts("allocated");
    free(p);
    return 0;
}
//=== fail: cleared as what it cannot be
// differs
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct block { _Alignas(16) long v[2]; };
__attribute__((noinline)) static void copy(void *to, void *from) {
    struct block *a = to, *b = from; // UB
    memcpy(a, b, sizeof *b);
}
int main(void) {
    char *raw = calloc(64, 1);
    if (!raw)
        return 1;
    copy(raw + 8, raw + 32);
    puts("copied");
    return 0;
}
//=== pass: what attributes and members guarantee
typedef int v4 __attribute__((vector_size(16)));
static int g[8] __attribute__((aligned(16))) = { 1, 2, 3, 4, 5, 6, 7, 8 };
static struct { int n; _Alignas(8) char b[8]; } member;
static union { char b[16]; long double x; } any;
static _Alignas(16) char pool[64];
typedef char line[32] __attribute__((aligned(32)));
static line lines[2];
int main(void) {
    v4 *v = (v4 *)(g + 4);
    long *m = (long *)member.b, *p = (long *)(pool + 24);
    __int128 *w = (__int128 *)any.b;
    v4 *l = (v4 *)(lines[1] + 16);
    return (*v)[2] != 7 || !m || !p || !w || !l;
}
//=== pass: what malloc guarantees
#include <stdlib.h>
typedef int v4 __attribute__((vector_size(16)));
int main(void) {
    char *raw = calloc(4, 16);
    v4 *four = aligned_alloc(64, 128);
    if (!raw || !four)
        return 0;
    long *p = (long *)(raw + 8);
    long double *q = (long double *)(raw + 16);
    struct { _Alignas(64) int v; } *wide = (void *)(four + 4);
    *p = 3;
    *q = 2;
    wide->v = 1;
    int wrong = *p != 3 || *q != 2 || wide->v != 1;
    free(raw);
    free(four);
    return wrong;
}
//=== pass: rounded up in a pool
#include <stdint.h>
#include <stdlib.h>
static char *pool;
static size_t used;
static void *take(size_t n) {
    uintptr_t p = ((uintptr_t)(pool + used) + 63) & ~(uintptr_t)63;
    used = p - (uintptr_t)pool + n;
    return (void *)p;
}
int main(void) {
    typedef struct { _Alignas(64) double v[4]; } line;
    pool = malloc(1024);
    if (!pool)
        return 0;
    line *a = take(sizeof *a), *b = take(sizeof *b);
    a->v[3] = 1;
    b->v[0] = 2;
    double *inside = &b->v[1];
    *inside = a->v[3] + b->v[0];
    int wrong = b->v[1] != 3 || ((uintptr_t)b & 63) != 0;
    free(pool);
    return wrong;
}
