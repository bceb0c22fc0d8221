//=== fail: structs of other tags
#include <stdio.h>
struct pair { int a, b; };
int sum(struct pair *);
int main(void) {
    struct pair p = { 1, 2 };
    printf("%d\n", sum(&p));
    return 0;
}
//=== file: b.c
struct couple { int a, b; };
int sum(struct couple *p) { // UB
    return p->a + p->b;
}
//=== fail: an enumerator of another value
#include <stdio.h>
enum mode { OFF, ON };
int is_on(enum mode);
int main(void) {
    printf("%d\n", is_on(ON));
    return 0;
}
//=== file: b.c
enum mode { ON, OFF };
int is_on(enum mode m) { return m == ON; } // UB
//=== fail: deep inside what is pointed to
#include <stdio.h>
struct leaf { int v; };
struct node { struct node *next; struct leaf *leaf; };
int total(struct node *);
int main(void) {
    struct leaf l = { 7 };
    struct node n = { 0, &l };
    printf("%d\n", total(&n) == 7);
    return 0;
}
//=== file: b.c
struct leaf { short v; };
struct node { struct node *next; struct leaf *leaf; };
int total(struct node *n) { return n->leaf->v; } // UB
//=== fail: the other sign
#include <stdio.h>
int minus(unsigned);
int main(void) {
    printf("%d\n", minus(3));
    return 0;
}
//=== file: b.c
int minus(int x) { return -x; } // UB
//=== fail: the address of an object for void *
#include <stdio.h>
int first(void *);
int main(void) {
    int v = 3;
    printf("%d\n", first(&v));
    return 0;
}
//=== file: b.c
int first(int *p) { return *p; } // UB
//=== pass: the plain result, where the letter does not count
// letter
int first(void *);
int minus(unsigned);
int main(void) {
    int v = 3;
    return first(&v) + minus(3) != 0;
}
//=== file: b.c
int first(int *p) { return *p; }
int minus(int x) { return -x; }
//=== pass: the same struct in both files
struct pair { int a, b; };
int sum(struct pair *);
int main(void) {
    struct pair p = { 1, 2 };
    return sum(&p) != 3;
}
//=== file: b.c
struct pair { int a, b; };
int sum(struct pair *p) { return p->a + p->b; }
//=== pass: the parameter's own qualifiers
int first(int *const, const int);
int main(void) {
    int v = 3;
    return first(&v, 1) != 4;
}
//=== file: b.c
int first(int *p, int n) { return *p + n; }
//=== pass: an alias names the function of its own unit
static int f(void) { return 1; }
int h(void) { return f(); }
//=== file: b.c
static int f(void) { return 2; }
int g(void) __attribute__((alias("f")));
int h(void);
int main(void) { return h() != 1 || g() != 2; }
//=== pass: an alias of an alias
static int f(void) { return 2; }
int g(void) __attribute__((alias("f")));
int h(void) __attribute__((alias("g")));
int x = 3;
extern int y __attribute__((alias("x")));
extern int z __attribute__((alias("y")));
int main(void) { x = 4; return h() != 2 || z != 4; }
