//=== fail: int through a float pointer
// exploited
// thirty-one: 1
#include <stdio.h>
__attribute__((noinline)) static int both(int *i, float *f) {
    *i = 1;
    *f = 2.0f; // UB
    return *i;
}
int main(void) {
    int x = 0;
    printf("%d\n", both(&x, (float *)&x));
    return 0;
}
//=== fail: long through a long long pointer
// exploited
// thirty-one: 7
#include <stdio.h>
static long total;
__attribute__((noinline)) static long bump(long *a, long long *b) {
    *a = 1;
    *b = 2; // UB
    return *a;
}
int main(void) {
    printf("%ld\n", bump(&total, (long long *)&total));
    return 0;
}
//=== fail: pointer to int through pointer to float pointer
// exploited
// thirty-one: 8
#include <stdio.h>
static int one = 1;
static float two = 2;
__attribute__((noinline)) static int *swap(int **a, float **b) {
    *a = &one;
    *b = &two; // UB
    return *a;
}
int main(void) {
    int *p = 0;
    int *q = swap(&p, (float **)&p);
    printf("%d\n", q == &one);
    return 0;
}
//=== fail: halves of a word exchanged
// exploited
#include <stdio.h>
__attribute__((noinline)) static unsigned halves(unsigned *w) {
    unsigned short *h = (unsigned short *)w;
    *w = 0x00010002;
    unsigned short t = h[0]; // UB
    h[0] = h[1];
    h[1] = t;
    return *w;
}
int main(void) {
    unsigned w;
    printf("%x\n", halves(&w));
    return 0;
}
//=== fail: fast inverse square root
#include <stdio.h>
__attribute__((noinline)) static float half_power(float x) {
    int i = *(int *)&x; // UB
    i = 0x5f3759df - (i >> 1);
    x = *(float *)&i;
    return x;
}
int main(void) {
    printf("%d\n", half_power(4.0f) > 0.4f);
    return 0;
}
//=== fail: elements of an array in a struct
// exploited
#include <stdio.h>
struct buf { double d[2]; };
__attribute__((noinline)) static long zero(struct buf *b, long *p) {
    b->d[1] = 1.0;
    *p = 0; // UB
    return b->d[1] != 0.0;
}
int main(void) {
    struct buf b = { { 0, 0 } };
    printf("%ld\n", zero(&b, (long *)&b.d[1]));
    return 0;
}
//=== fail: a pointer read as an integer
// exploited
#include <stdint.h>
#include <stdio.h>
static int x, y;
__attribute__((noinline)) static int same(int **p, uintptr_t *n) {
    *p = &x;
    *n = (uintptr_t)&y; // UB
    return *p == &x;
}
int main(void) {
    int *p = &y;
    printf("%d\n", same(&p, (uintptr_t *)&p));
    return 0;
}
//=== pass: signed and unsigned twins
static int f(int *i, unsigned *u) {
    *i = 1;
    *u = 2;
    return *i;
}
int main(void) {
    int x;
    long y = -1;
    return f(&x, (unsigned *)&x) != 2 || *(unsigned long *)&y != -1ul;
}
//=== pass: character types alias everything
static int f(int *i, unsigned char *c) {
    *i = 0x01010101;
    c[0] = 2;
    ((signed char *)i)[1] = 3;
    return *i;
}
int main(void) {
    int x;
    return f(&x, (unsigned char *)&x) != 0x01010302;
}
//=== pass: qualified versions
static int f(int *p, const int *c, volatile int *v) {
    *p = 1;
    *v = 2;
    return *c;
}
int main(void) {
    int x = 0;
    return f(&x, &x, &x) != 2;
}
//=== pass: a type that may alias
typedef int __attribute__((may_alias)) any_int;
static float f(float *x, any_int *i) {
    *x = 1.0f;
    *i = 0x40000000;
    return *x;
}
int main(void) {
    float x;
    return f(&x, (any_int *)&x) != 2.0f;
}
//=== pass: copied by memcpy
#include <string.h>
int main(void) {
    float f = 1.0f;
    int i;
    memcpy(&i, &f, sizeof i);
    return i != 0x3f800000;
}
//=== pass: an enum and its compatible type
enum e { A, B };
static unsigned f(enum e *p, unsigned *u) {
    *p = A;
    *u = 1;
    return *p;
}
int main(void) {
    enum e x;
    return f(&x, (unsigned *)&x) != B;
}
//=== pass: a vector and its elements
typedef float four __attribute__((vector_size(16)));
static float a[8] __attribute__((aligned(16))) = { 1, 2, 3, 4, 5, 6, 7, 8 };
int main(void) {
    four *v = (four *)a;
    v[1] += v[0];
    a[0] = 9;
    return a[4] != 6 || a[7] != 12 || v[0][0] != 9;
}
//=== fail: a vector over elements of another type
#include <stdio.h>
typedef int four __attribute__((vector_size(16)));
static float a[4] __attribute__((aligned(16))) = { 1, 2, 3, 4 };
int main(void) {
    four v = *(four *)a; // UB
    printf("%d\n", v[0]);
    return 0;
}
//=== fail: a pointer to int as one to unsigned
// exploited
#include <stdio.h>
__attribute__((noinline)) static int both(unsigned **p, int **q, int *a, int *b) {
    *p = (unsigned *)a; // UB
    *q = b;
    return *p == (unsigned *)a;
}
int main(void) {
    int c[2], *s;
    printf("%d\n", both((unsigned **)&s, &s, c, c + 1));
    return 0;
}
//=== fail: stored by the name of an alias of another type
// exploited
#include <stdio.h>
float c = 5;
extern int d __attribute__((alias("c")));
__attribute__((noinline)) static int g(float *p) {
    *p = 1;
    d = 2; // UB
    return *p == 1;
}
int main(void) {
    printf("%d\n", g(&c));
    return 0;
}
//=== fail: read by the name of an alias of another type
#include <stdio.h>
int a = 1;
extern float b __attribute__((alias("a")));
int main(void) {
    int *p = &a;
    float x = b; // UB
    *p = 0x40000000;
    printf("%d\n", b == x);
    return 0;
}
//=== pass: aliases of compatible types
int a = 1, row[3] = { 1, 2, 3 };
extern int b __attribute__((alias("a")));
extern int rest[3] __attribute__((alias("row")));
enum colour { RED, GREEN } c = GREEN;
extern enum colour d __attribute__((alias("c")));
int main(void) {
    b = 3;
    rest[1] = 7;
    d = RED;
    return a != 3 || row[1] != 7 || c != RED;
}
//=== pass: an alias of the other sign, or of characters
#include <string.h>
int a = 5;
extern unsigned b __attribute__((alias("a")));
extern char c[sizeof(int)] __attribute__((alias("a")));
int main(void) {
    b = 7;
    int copy;
    memcpy(&copy, c, sizeof copy);
    return a != 7 || copy != 7 || c[0] != 7;
}
//=== unsupported: a const alias of an object that changes
// differs
#include <stdio.h>
int c = 1;
extern const int d __attribute__((alias("c")));
__attribute__((noinline)) static int f(void) {
    int x = d;
    c = 9;
    return x * 10 + d;
}
int main(void) {
    printf("%d\n", f());
    return 0;
}
//=== pass: a plain alias of a const object, which is only read
static const int c = 5;
extern int d __attribute__((alias("c")));
int main(void) { return d + c != 10; }
