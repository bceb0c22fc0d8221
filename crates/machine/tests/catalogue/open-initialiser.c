//=== open: a call that is overridden
// differs
#include <stdio.h>
static int calls;
static int next(void) { return ++calls; }
struct point { int x, y; };
int main(void) {
    struct point p = { .x = next(), .y = 3, .x = 2 };
    printf("%d %d %d\n", p.x, p.y, calls);
    return 0;
}
//=== open: an increment that is overridden
// differs
#include <stdio.h>
int main(void) {
    int n = 0;
    int a[2] = { n++, 7, [0] = 5 };
    printf("%d %d\n", a[0], n);
    return 0;
}
//=== open: braces override a part
// differs
#include <stdio.h>
static int calls;
static int next(void) { return ++calls; }
struct point { int x, y; };
struct box { struct point a, b; };
int main(void) {
    struct box box = { .a.x = next(), .a = { 1, 2 } };
    printf("%d %d\n", box.a.x, calls);
    return 0;
}
//=== open: a part of braces is overridden
// differs
#include <stdio.h>
static int calls;
static int next(void) { return ++calls; }
struct point { int x, y; };
struct box { struct point a, b; };
int main(void) {
    struct box box = { { next(), 2 }, .a.x = 4 };
    printf("%d %d\n", box.a.x, calls);
    return 0;
}
//=== open: the other member of a union
// differs
#include <stdio.h>
static int calls;
static int next(void) { return ++calls; }
union number { int i; long l; };
int main(void) {
    union number u = { .i = next(), .l = 2 };
    printf("%ld %d\n", u.l, calls);
    return 0;
}
//=== open: in a compound literal
// differs
#include <stdio.h>
static int calls;
static int next(void) { return ++calls; }
int main(void) {
    int *p = (int[2]){ next(), [0] = 4 };
    printf("%d %d\n", p[0], calls);
    return 0;
}
//=== open: a range that is overridden
// differs
#include <stdio.h>
static int calls;
static int next(void) { return ++calls; }
int main(void) {
    int a[3] = { [0 ... 1] = next(), [0] = 4, [1] = 5 };
    printf("%d %d\n", a[0], calls);
    return 0;
}
//=== open: one expression writes another's part
#include <stdio.h>
int main(void) {
    int a[2] = { (a[1] = 3), 4 };
    printf("%d %d\n", a[0], a[1]);
    return 0;
}
//=== pass: what is overridden does nothing
static int twice(int x) {
    int y = x;
    return y * 2;
}
int main(void) {
    int n = 4;
    int a[2] = { twice(n), n, [0] = 7 };
    return a[0] != 7 || a[1] != 4;
}
//=== pass: another part of the braces is overridden
static int calls;
static int next(void) { return ++calls; }
struct point { int x, y; };
struct box { struct point a, b; };
int main(void) {
    struct box box = { { next(), 2 }, .a.y = 4, .b.x = 6 };
    return box.a.x != 1 || box.a.y != 4 || box.b.x != 6 || calls != 1;
}
//=== pass: nobody sees the effect
static int calls;
static int next(void) { return ++calls; }
int main(void) {
    int a[2] = { next(), [0] = 7 };
    return a[0] != 7 || a[1] != 0;
}
//=== pass: the object's address
struct list { struct list *next, *prev; int size; };
static int seen(void *p) { return p != 0; }
int main(void) {
    struct list list = { &list, &list, sizeof list.size };
    struct list other = { .prev = &other, .size = seen(&other) };
    return list.next != &list || list.prev != &list || list.size != 4 || other.next || other.size != 1;
}
//=== pass: an expression writes its own part
int main(void) {
    int a[2] = { (a[0] = 3), 4 };
    return a[0] != 3 || a[1] != 4;
}
//=== open: a compound literal's parts about a local
#include <stdio.h>
struct point { int x, y; };
int main(void) {
    int n = 1;
    int y = ((struct point){ n++, n }).y;
    printf("%d\n", y);
    return 0;
}
//=== pass: a compound literal's parts about two locals
// prints: 1 2 2
#include <stdio.h>
struct point { int x, y; };
int main(void) {
    int n = 1, m = 2;
    struct point *p = &(struct point){ n++, m };
    printf("%d %d %d\n", p->x, p->y, n);
    return 0;
}
