//=== fail: null plus one
#include <stdio.h>
volatile int none = 1;
__attribute__((noinline)) static int check(char *p, long n) {
    char *q = p + n; // UB
    return q == 0 ? 1 : p == 0 ? 2 : 3;
}
int main(void) {
    char c;
    printf("%d\n", check(none ? 0 : &c, 1));
    return 0;
}
//=== fail: address of an element of nothing
#include <stdio.h>
static int *table;
int main(void) {
    int *p = &table[3]; // UB
    printf("%d\n", p != 0);
    return 0;
}
//=== fail: null minus one
#include <stdio.h>
struct range { int *begin, *end; };
int main(void) {
    struct range r = { 0, 0 };
    r.end -= 1; // UB
    printf("%d\n", r.end == r.begin);
    return 0;
}
//=== fail: a null base made from an offset
#include <stdio.h>
__attribute__((noinline)) static int is_null(char *base, int n) {
    base += n; // UB
    if (!base)
        return 1;
    return 0;
}
int main(void) {
    volatile int off = 16;
    printf("%d\n", is_null(0, off));
    return 0;
}
//=== fail: incremented
#include <stdio.h>
int main(void) {
    const char *s = 0;
    int n = 0;
    while (n < 2 && s++ == 0) // UB
        n++;
    printf("%d\n", n);
    return 0;
}
//=== pass: comparing and copying null
int main(void) {
    int *p = 0, *q = p;
    char *c = (char *)p;
    return p != q || c != 0 || !!q;
}
//=== pass: offset of a member by the old way
#include <stddef.h>
struct s { int a; int b; };
int main(void) { return (size_t)&((struct s *)0)->b != offsetof(struct s, b); }
//=== pass: arithmetic on the integer
#include <stdint.h>
int main(void) {
    char *p = 0;
    uintptr_t n = (uintptr_t)p + 8;
    return n != 8;
}
//=== pass: address of what null points to
int main(void) {
    int *p = 0;
    return &*p != 0;
}
//=== fail: a constant offset, tested for null
#include <stdio.h>
volatile int none = 1;
__attribute__((noinline)) static int empty(int *p) {
    int *end = p + 4; // UB
    if (end == 0)
        return 2;
    return p ? 0 : 1;
}
int main(void) {
    int a[4];
    printf("%d\n", empty(none ? 0 : a));
    return 0;
}
//=== fail: compared with null after adding
// exploited
#include <stdio.h>
static char *volatile null;
static volatile long eight = 8;
__attribute__((noinline)) static int is_null(char *p, long n) {
    return p + n == 0; // UB
}
int main(void) {
    printf("%d\n", is_null(null, eight));
    return 0;
}
