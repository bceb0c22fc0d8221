//=== fail: null after all
// exploited
#include <stdio.h>
volatile int full = 1;
static int cell;
__attribute__((returns_nonnull, noinline)) static int *take(void) {
    if (full)
        return 0; // UB
    return &cell;
}
int main(void) {
    puts(take() ? "cell" : "none");
    return 0;
}
//=== fail: search that finds nothing
// exploited
#include <stdio.h>
static char text[] = "abc";
__attribute__((returns_nonnull, noinline)) static char *find(char *s, char c) {
    char *found = 0;
    for (; *s; s++)
        if (*s == c)
            found = s;
    return found; // UB
}
int main(void) {
    if (!find(text, 'x'))
        puts("missing");
    else
        puts("found");
    return 0;
}
//=== fail: handed through from a member
#include <stdio.h>
struct node { struct node *next; };
__attribute__((returns_nonnull, noinline)) static struct node *next(struct node *n) {
    return n->next; // UB
}
int main(void) {
    struct node last = { 0 }, first = { &last };
    int n = 0;
    for (struct node *p = &first; n < 2 && p; p = next(p))
        n++;
    printf("%d\n", n);
    return 0;
}
//=== pass: never null
static int cell = 4;
__attribute__((returns_nonnull)) static int *get(void) { return &cell; }
int main(void) { return *get() != 4; }
//=== pass: a default instead of null
static int cell = 4;
__attribute__((returns_nonnull)) static int *or_default(int *p) { return p ? p : &cell; }
int main(void) {
    int x = 5;
    return *or_default(0) + *or_default(&x) != 9;
}
//=== pass: one past is not null
static int v[2] = { 1, 2 };
__attribute__((returns_nonnull)) static int *end(void) { return v + 2; }
int main(void) { return end()[-1] != 2; }
//=== fail: declared so in the caller's file only
// exploited
#include <stdio.h>
int *f(void) __attribute__((returns_nonnull));
int main(void) {
    printf("%d\n", f() == 0);
    return 0;
}
//=== file: b.c
int *f(void) {
    return 0; // UB
}
