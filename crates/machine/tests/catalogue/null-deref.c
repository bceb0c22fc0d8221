//=== fail: value not used
// exploited
#include <stdio.h>
int main(void) {
    int *p = 0;
    int x = *p; // UB
    (void)x;
    puts("still here");
    return 0;
}
//=== fail: checked after the access
// exploited
#include <stdio.h>
volatile int none = 1;
__attribute__((noinline)) static int load(int *p) {
    int v = *p; // UB
    if (!p)
        return -1;
    return v & 0;
}
int main(void) {
    int x = 5;
    printf("%d\n", load(none ? 0 : &x));
    return 0;
}
//=== fail: written, then never read
// exploited
#include <stdio.h>
static int *slot;
__attribute__((noinline)) static void put(int **where, int v) {
    **where = v; // UB
}
int main(void) {
    puts("before");
    fflush(stdout);
    put(&slot, 3);
    puts("after");
    return 0;
}
//=== fail: end of a list
// exploited
#include <stdio.h>
struct node { int v; struct node *next; };
static int third(const struct node *n) {
    struct node copy = *n->next->next; // UB
    return copy.v * 0;
}
int main(void) {
    struct node b = { 2, 0 }, a = { 1, &b };
    printf("%d\n", third(&a));
    return 0;
}
//=== fail: call of a null function pointer
// exploited
#include <stdio.h>
static void (*hook)(void);
static void run(void) { puts("ran"); }
void install(void) { hook = run; }
int main(void) {
    hook(); // UB
    return 0;
}
//=== fail: allocation of nothing forgotten
// exploited
#include <stdio.h>
#include <stdlib.h>
static char *find(const char *s, char c) {
    for (; *s; s++)
        if (*s == c)
            return (char *)s;
    return NULL;
}
int main(void) {
    char text[] = "abc";
    *find(text, 'x') = '-'; // UB
    puts(text);
    return 0;
}
//=== pass: address of what a null pointer points to
#include <stddef.h>
int main(void) {
    int *p = NULL;
    int *q = &*p;
    return q != NULL;
}
//=== pass: operand of sizeof
int main(void) {
    int *p = 0;
    struct s { long a, b; } *s = 0;
    return sizeof *p != 4 || sizeof(*s) != 16;
}
//=== pass: checked before the access
static int load(const int *p) { return p && *p > 2 ? *p : -1; }
int main(void) {
    int x = 5;
    return load(0) != -1 || load(&x) != 5;
}
