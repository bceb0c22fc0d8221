//=== unsupported: more memory than alloc_size says
// differs
#include <stdio.h>
#include <stdlib.h>
struct big { int a, b, c, d, e, f, g, h; };
__attribute__((noinline, malloc, alloc_size(1))) static void *get(unsigned long n) { return malloc(n + 60); }
void *volatile hold;
__attribute__((noinline)) static int f(const struct big *v) {
    struct big *p = get(4);
    if (!p)
        return 9;
    hold = p;
    struct big *q = hold;
    p->a = 1;
    *q = *v;
    return p->a;
}
int main(void) {
    struct big v = { 9, 9, 9, 9, 9, 9, 9, 9 };
    printf("%d\n", f(&v));
    return 0;
}
//=== unsupported: a part of an object by alloc_size
#include <stdio.h>
struct big { long a, b, c, d; };
static struct big pool;
__attribute__((noinline, alloc_size(1, 2))) static void *get(unsigned long n, unsigned long m) { return &pool; }
int main(void) {
    long *p = get(1, 8);
    pool = (struct big){ 1, 2, 3, 4 };
    *p = 9;
    struct big t = pool;
    printf("%ld\n", t.a);
    return 0;
}
//=== unsupported: less memory than alloc_size says
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline, alloc_size(1))) static void *get(unsigned long n) { return malloc(n / 2); }
int main(void) {
    int *p = get(8);
    if (p)
        p[0] = 1;
    printf("%zu\n", __builtin_object_size(p, 0));
    free(p);
    return 0;
}
//=== unsupported: more memory than the alloc_size of an alias says
#include <stdio.h>
#include <stdlib.h>
void *f(unsigned long n) { return malloc(64); }
void *g(unsigned long n) __attribute__((alias("f"), malloc, alloc_size(1)));
int main(void) {
    int *p = g(4);
    printf("%d\n", p != 0);
    free(p);
    return 0;
}
//=== pass: as much memory as alloc_size says
#include <stdlib.h>
__attribute__((noinline, malloc, alloc_size(1))) static void *get(unsigned long n) { return malloc(n); }
__attribute__((noinline, malloc, alloc_size(1, 2))) static void *array(int n, int m) { return calloc(n, m); }
int main(void) {
    int *p = get(2 * sizeof *p), *q = array(3, 4), *r = get(0);
    if (!p || !q)
        return 0;
    p[1] = 1;
    q[2] = 2;
    int sum = p[1] + q[2];
    free(p);
    free(q);
    free(r);
    return sum != 3;
}
//=== pass: no memory by alloc_size, and a header before it
#include <stdlib.h>
struct head { long size, rest; };
__attribute__((noinline, alloc_size(1))) static void *get(unsigned long n) {
    if (n > 100)
        return 0;
    struct head *p = malloc(sizeof *p + n);
    if (!p)
        return 0;
    p->size = n;
    return p + 1;
}
int main(void) {
    char *p = get(200), *q = get(20);
    if (p || !q)
        return p != 0;
    q[19] = 1;
    struct head *h = (struct head *)q - 1;
    int wrong = h->size != 20;
    free(h);
    return wrong;
}
