//=== fail: odd byte as int
#include <stdio.h>
static int a[2] = { 0x01020304, 0x05060708 };
int main(void) {
    int *p = (int *)((char *)a + 1); // UB
    printf("%x\n", *p);
    return 0;
}
//=== fail: through void pointer
#include <stdio.h>
#include <stdlib.h>
static long get(void *at) {
    long *p = at; // UB
    return p != 0;
}
int main(void) {
    char *block = calloc(32, 1);
    if (!block)
        return 1;
    printf("%ld\n", get(block + 4));
    free(block);
    return 0;
}
//=== fail: record in a byte stream
#include <stdio.h>
struct record { short kind; int value; };
static unsigned char stream[16] __attribute__((aligned(8)));
int main(void) {
    unsigned char *p = stream;
    int n = 0;
    for (int i = 0; i < 2; i++, p += 6)
        n += ((struct record *)p != 0); // UB
    printf("%d\n", n);
    return 0;
}
//=== fail: vectorised loop over an odd array
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) static unsigned sum(const unsigned short *p, int n) {
    unsigned s = 0;
    for (int i = 0; i < n; i++)
        s += p[i];
    return s;
}
int main(void) {
    char *block = calloc(4096, 1);
    if (!block)
        return 1;
    printf("%u\n", sum((unsigned short *)(block + 1), 1000)); // UB
    return 0;
}
//=== pass: aligned again
int main(void) {
    int a[2] = { 1, 2 };
    char *p = (char *)a + 1;
    int *q = (int *)(p + 3);
    return *q != 2;
}
//=== pass: a type that needs no alignment
struct bytes { unsigned char a, b; };
int main(void) {
    int x[2] = { 0, 0 };
    struct bytes *p = (struct bytes *)((char *)x + 1);
    short s[2] = { 1, 2 };
    short *q = (short *)((char *)s + 2);
    return p == 0 || *q != 2;
}
//=== pass: copied out
#include <string.h>
int main(void) {
    unsigned char stream[8] = { 9, 1, 0, 0, 0, 9, 9, 9 };
    int v;
    memcpy(&v, stream + 1, sizeof v);
    return v != 1;
}
//=== pass: long long is aligned to four in a struct
// target: i386
struct s { int a; long long b; };
int main(void) {
    struct s v = { 1, 2 };
    return sizeof v != 12 || v.b != 2;
}
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
//=== pass: functions have the alignment that is asked for
static void f(void) __attribute__((aligned(256)));
static void f(void) {}
int main(void) { return __alignof__(f) != 256 || ((unsigned long)f & 255) != 0; }
//=== fail: a character array as int, wherever it is placed
#include <stdio.h>
int main(void) {
    char buf[8] = { 0 };
    int *p = (int *)buf; // UB
    printf("%d\n", p != 0);
    return 0;
}
//=== fail: an array of shorts as int
#include <stdio.h>
static short a[4];
int main(void) {
    int *p = (int *)&a[2]; // UB
    printf("%d\n", p != 0);
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
