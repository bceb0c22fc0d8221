//=== fail: member array overflow through a pointer
// thirty-one: 15
#include <stdio.h>
struct box { int a[2]; int b[3]; };
__attribute__((noinline)) static int fill(struct box *s, int i) {
    s->b[1] = 1;
    int *p = s->a;
    p[i] = 2; // UB
    return s->b[1];
}
int main(void) {
    struct box s = { { 0, 0 }, { 0, 0, 0 } };
    printf("%d\n", fill(&s, 3));
    return 0;
}
//=== fail: negative index to the previous member
// exploited
#include <stdio.h>
struct record { int key; int data[3]; };
__attribute__((noinline)) static int back(struct record *r, int i) {
    r->key = 5;
    r->data[i] = 6; // UB
    return r->key;
}
int main(void) {
    struct record r = { 0, { 1, 2, 3 } };
    printf("%d\n", back(&r, -1));
    return 0;
}
//=== fail: third member from the address of the first
#include <stdio.h>
struct colour { int r, g, b; };
int main(void) {
    struct colour c = { 1, 2, 3 };
    int sum = 0;
    for (int i = 0; i < 3; i += 2)
        sum += (&c.r)[i]; // UB
    printf("%d\n", sum);
    return 0;
}
//=== fail: array inside an array of structs
#include <stdio.h>
static struct row { char name[4]; char mark; } rows[2] = { { "abc", 'x' }, { "def", 'y' } };
static char at(char *s, int i) { return s[i]; } // UB
int main(void) {
    putchar(at(rows[0].name, 5));
    putchar('\n');
    return 0;
}
//=== fail: a loop over members bounded by the array
// exploited
#include <stdio.h>
struct s { short head; short v[4]; short tail[4]; };
int main(void) {
    struct s x = { 0, { 1, 1, 1, 1 }, { 2, 2, 2, 2 } };
    int n = 0;
    for (int i = 0; i < 8; i += 3)
        n += x.v[i]; // UB
    printf("%d\n", n);
    return 0;
}
//=== pass: container of a member
#include <stddef.h>
struct item { int id; int link; };
static struct item *container(int *link) {
    return (struct item *)((char *)link - offsetof(struct item, link));
}
int main(void) {
    struct item it = { 42, 0 };
    return container(&it.link)->id != 42;
}
//=== pass: one past a member array formed
struct box { int a[2]; int b; };
int main(void) {
    struct box s = { { 1, 2 }, 3 };
    int sum = 0;
    for (int *p = s.a, *end = s.a + 2; p != end; p++)
        sum += *p;
    return sum != 3;
}
//=== pass: from the first member to its struct and back
struct base { int kind; };
struct derived { struct base b; int extra; };
static int extra(struct base *b) { return ((struct derived *)b)->extra; }
int main(void) {
    struct derived d = { { 1 }, 9 };
    int *kind = (int *)&d;
    return extra(&d.b) != 9 || *kind != 1;
}
//=== pass: offset in bytes from the struct
#include <stddef.h>
struct s { int a[2]; int b; };
int main(void) {
    struct s v = { { 1, 2 }, 3 };
    char *base = (char *)&v;
    return *(int *)(base + offsetof(struct s, b)) != 3;
}
