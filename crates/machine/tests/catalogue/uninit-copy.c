//=== fail: whole struct assigned
struct pair { int a, b; };
int main(void) {
    struct pair p, q = { 1, 2 };
    q = p; // UB
    q.a = 0;
    return q.a;
}
//=== fail: whole struct passed
#include <stdio.h>
struct pair { int a, b; };
static int zero(struct pair p) {
    p.a = 0;
    return p.a;
}
int main(void) {
    struct pair p;
    printf("%d\n", zero(p)); // UB
    return 0;
}
//=== fail: whole union returned
#include <stdio.h>
union number { int i; float f; };
static union number make(void) {
    union number n;
    return n; // UB
}
int main(void) {
    union number n = make();
    n.i = 3;
    printf("%d\n", n.i);
    return 0;
}
//=== fail: initialiser in the next round of a loop
#include <stdio.h>
struct box { char name[4]; long v; };
int main(void) {
    long sum = 0;
    for (int i = 0; i < 2; i++) {
        struct box b;
        if (i == 0)
            b.v = 4;
        struct box c = b; // UB
        c.v = i;
        sum += c.v;
    }
    printf("%ld\n", sum);
    return 0;
}
//=== pass: one member set
struct pair { int a, b; };
static int first(struct pair p) { return p.a; }
int main(void) {
    struct pair p;
    p.a = 6;
    return first(p) != 6;
}
//=== pass: the address is taken
struct pair { int a, b; };
static void look(struct pair *p) { (void)p; }
int main(void) {
    struct pair p, q;
    look(&p);
    q = p;
    q.b = 2;
    return q.b != 2;
}
//=== pass: static and initialised
struct pair { int a, b; };
static struct pair s;
int main(void) {
    struct pair p = { 0 }, q = s, r = p;
    return q.a + q.b + r.a + r.b;
}
//=== pass: assigned as a whole before
struct pair { int a, b; };
static struct pair make(void) { return (struct pair){ 1, 2 }; }
int main(void) {
    struct pair p;
    p = make();
    struct pair q = p;
    return q.a != 1 || q.b != 2;
}
