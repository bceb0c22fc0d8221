//=== fail: pointer kept to the next statement
#include <stdio.h>
struct s { int a[4]; };
static struct s make(int v) { return (struct s){ { v, v, v, v } }; }
int main(void) {
    int *p = make(3).a;
    make(4);
    printf("%d\n", *p); // UB
    return 0;
}
//=== fail: in the next controlling expression
#include <stdio.h>
struct text { char s[8]; };
static struct text make(void) { return (struct text){ "abc" }; }
int main(void) {
    char *p;
    if ((p = make().s) != 0)
        putchar(*p); // UB
    putchar('\n');
    return 0;
}
//=== fail: stored by a function
#include <stdio.h>
struct s { int a[2]; };
static struct s make(int v) { return (struct s){ { v, v + 1 } }; }
static const int *kept;
static int keep(const int *p) {
    kept = p;
    return *p;
}
int main(void) {
    int v = keep(make(5).a);
    v += keep(make(9).a) * 0;
    v += *kept; // UB
    printf("%d\n", v);
    return 0;
}
//=== unsupported: value of a conditional
#include <stdio.h>
struct s { char c[4]; };
volatile int yes = 1;
int main(void) {
    struct s x = { "one" }, y = { "two" };
    char *p = (yes ? x : y).c;
    x.c[0] = 'O';
    putchar(*p);
    putchar('\n');
    return 0;
}
//=== pass: used up in the full expression
#include <stdio.h>
struct text { char s[8]; };
static struct text make(void) { return (struct text){ "abc" }; }
int main(void) {
    char *p;
    int n = (p = make().s, p[1]);
    printf("%s %c\n", make().s, n);
    return 0;
    // prints: abc b
}
//=== pass: as long as the call it is an argument of
struct s { int a[2]; };
static struct s make(int v) { return (struct s){ { v, v } }; }
static int sum(const int *p, const int *q) { return p[0] + q[1]; }
int main(void) { return sum(make(1).a, make(2).a) != 3; }
//=== pass: copied to an object
struct s { int a[2]; };
static struct s make(int v) { return (struct s){ { v, v } }; }
int main(void) {
    struct s kept = make(4);
    int *p = kept.a;
    make(5);
    return p[1] != 4;
}
