//=== fail: null for the only pointer
// exploited
#include <stdio.h>
volatile int none = 1;
__attribute__((nonnull, noinline)) static int check(const int *p) {
    if (p == 0)
        return -1;
    return 1;
}
int main(void) {
    int x = 0;
    printf("%d\n", check(none ? 0 : &x)); // UB
    return 0;
}
//=== fail: one of several
// exploited
#include <stdio.h>
struct buf { char *data; };
__attribute__((nonnull(1), noinline)) static int put(char *to, const char *from) {
    return to ? 1 : from ? 2 : 3;
}
int main(void) {
    struct buf b = { 0 };
    printf("%d\n", put(b.data, 0)); // UB
    return 0;
}
//=== fail: through a declaration in another place
// exploited
#include <stdio.h>
int length(const char *s) __attribute__((nonnull));
static const char *words[2] = { "ab", 0 };
int main(void) {
    int n = 0;
    for (int i = 0; i < 2; i++)
        n += length(words[i]); // UB
    printf("%d\n", n);
    return 0;
}
__attribute__((noinline)) int length(const char *s) { return s ? 2 : 100; }
//=== pass: other parameters may be null
__attribute__((nonnull(2))) static int f(const int *a, const int *b) { return a ? 1 : *b; }
int main(void) {
    int x = 5;
    return f(0, &x) != 5;
}
//=== pass: never null
__attribute__((nonnull)) static int f(const int *a, int n) { return a[n]; }
int main(void) {
    int v[2] = { 1, 2 };
    return f(v, 0) + f(v, 1) != 3;
}
//=== pass: one past and zero length
__attribute__((nonnull)) static int sum(const int *a, int n) {
    int s = 0;
    while (n-- > 0)
        s += *a++;
    return s;
}
int main(void) {
    int v[2] = { 1, 2 };
    return sum(v + 2, 0) != 0;
}
//=== fail: declared so in the caller's file only
#include <stdio.h>
int f(int *) __attribute__((nonnull));
int main(void) {
    printf("%d\n", f(0)); // UB
    return 0;
}
//=== file: b.c
int f(int *p) { return p == 0; }
//=== fail: an alias promises that its argument is not null
#include <stdio.h>
int f(int *p) { return p == 0; }
int g(int *p) __attribute__((alias("f"), nonnull));
int main(int argc, char **argv) {
    printf("%d\n", g(argc > 5 ? &argc : 0)); // UB
    return 0;
}
//=== pass: null to a function whose alias does not take it
int f(int *p) { return p != 0; }
int g(int *p) __attribute__((alias("f"), nonnull));
int main(void) {
    int x = 0;
    return f(0) || g(&x) != 1;
}
