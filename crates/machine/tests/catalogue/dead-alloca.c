//=== fail: returned
// exploited
#include <stdio.h>
__attribute__((noinline)) static int *make(int n) {
    int *p = __builtin_alloca(n * sizeof *p);
    p[0] = n;
    return p;
}
int main(void) {
    printf("%d\n", *make(4)); // UB
    return 0;
}
//=== fail: kept in a struct
// exploited
#include <stdio.h>
struct buf { char *s; };
__attribute__((noinline)) static void fill(struct buf *b) {
    b->s = __builtin_alloca(8);
    b->s[0] = 'k';
}
int main(void) {
    struct buf b;
    fill(&b);
    puts("filled");
    printf("%c\n", *b.s); // UB
    return 0;
}
//=== fail: written by a later call
#include <stdio.h>
static long *slot;
__attribute__((noinline)) static void reserve(void) { slot = __builtin_alloca(sizeof(long)); }
__attribute__((noinline)) static void store(long v) {
    *slot = v; // UB
}
int main(void) {
    reserve();
    store(6);
    puts("stored");
    return 0;
}
//=== pass: outlives its block, not its function
int main(void) {
    int *p = 0, sum = 0;
    for (int i = 0; i < 3; i++) {
        int *q = __builtin_alloca(sizeof *q);
        *q = i;
        if (i == 1)
            p = q;
        sum += *q;
    }
    return *p != 1 || sum != 3;
}
//=== pass: passed down
static int first(const int *p) { return p[0]; }
int main(void) {
    int *p = __builtin_alloca(2 * sizeof *p);
    p[0] = 5;
    return first(p) != 5;
}
//=== pass: used by the function that made it
static int build(int n) {
    char *s = __builtin_alloca(n + 1);
    for (int i = 0; i < n; i++)
        s[i] = 'a';
    s[n] = 0;
    return s[0] == 'a' && s[n] == 0;
}
int main(void) { return !build(5) || !build(50); }
//=== pass: made before the array of variable length
// prints: x
#include <stdio.h>
int main(void) {
    volatile int n = 16;
    char *p = __builtin_alloca(100);
    p[5] = 'x';
    {
        char v[n];
        v[0] = 1;
    }
    printf("%c\n", p[5]);
    return 0;
}
//=== unsupported: memory of __builtin_alloca_with_align after its block
// differs
#include <stdio.h>
int main(void) {
    int *p[4], s = 0;
    for (int i = 0; i < 4; i++) {
        p[i] = __builtin_alloca_with_align(sizeof(int), 256);
        *p[i] = i;
    }
    for (int i = 0; i < 4; i++)
        s = s * 10 + *p[i];
    printf("%d\n", s);
    return 0;
}
//=== unsupported: memory of __builtin_alloca_with_align in a branch and in a statement expression
#include <stdio.h>
int main(int argc, char **argv) {
    int *p = 0;
    if (argc)
        p = __builtin_alloca_with_align(64, 128);
    int *q = ({ __builtin_alloca_with_align(64, 128); });
    p[0] = q[0] = 1;
    printf("%d\n", p[0]);
    return 0;
}
//=== pass: memory of __builtin_alloca_with_align in the function's block
static int sum(int n) {
    int *p = __builtin_alloca_with_align(4 * n, 256), s = 0;
    for (int i = 0; i < n; i++)
        p[i] = i;
    for (int i = 0; i < n; i++)
        s += p[i];
    return s;
}
int main(void) { return sum(4) != 6 || sum(10) != 45; }
//=== pass: memory of alloca in inner blocks
int main(void) {
    int *p[4], s = 0;
    for (int i = 0; i < 4; i++) {
        p[i] = __builtin_alloca(sizeof(int));
        *p[i] = i;
    }
    for (int i = 0; i < 4; i++)
        s = s * 10 + *p[i];
    return s != 123;
}
