//=== fail: a wider member of the union
// thirty-one: 30
#include <stdio.h>
union u { int i; long long ll; };
int main(void) {
    union u v;
    v.ll = -1;
    v.i = 5;
    v.ll = v.i; // UB
    printf("%lld\n", v.ll);
    return 0;
}
//=== fail: structs one word apart
// differs
#include <stdio.h>
struct s { int v[16]; };
union shifted {
    struct { int pad; struct s x; } late;
    struct { struct s x; int pad; } early;
};
__attribute__((noinline)) static void copy(struct s *to, const struct s *from) {
    *to = *from; // UB
}
int main(void) {
    union shifted u = { { 0, { { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 } } } };
    copy(&u.late.x, &u.early.x);
    long sum = 0;
    for (int i = 0; i < 16; i++)
        sum = sum * 3 + u.late.x.v[i];
    printf("%ld\n", sum);
    return 0;
}
//=== fail: same bytes, other type
#include <stdio.h>
union number { int i; float f; };
int main(void) {
    union number n = { 3 };
    n.f = n.i; // UB
    printf("%d\n", n.f == 3.0f);
    return 0;
}
//=== fail: a narrower member, through a pointer
#include <stdio.h>
union word { unsigned w; unsigned char low; };
static void narrow(union word *p) {
    p->low = p->w; // UB
}
int main(void) {
    union word v = { 0x1234 };
    narrow(&v);
    printf("%u\n", v.low);
    return 0;
}
//=== fail: member struct from its own union
#include <stdio.h>
struct small { int a, b; };
union u { struct { int tag; struct small s; } x; struct small y; };
int main(void) {
    union u v = { { 1, { 2, 3 } } };
    v.y = v.x.s; // UB
    printf("%d %d\n", v.y.a, v.y.b);
    return 0;
}
//=== pass: exactly itself
struct s { int a[4]; };
static void copy(struct s *to, const struct s *from) { *to = *from; }
int main(void) {
    struct s v = { { 1, 2, 3, 4 } };
    int x = 5, *p = &x;
    v = v;
    copy(&v, &v);
    *p = x;
    return v.a[3] != 4 || x != 5;
}
//=== pass: members of one type and place
union u { int a; int b; };
int main(void) {
    union u v = { 4 };
    v.b = v.a;
    return v.b != 4;
}
//=== pass: through a value
union u { int i; long long ll; };
static int get(const union u *p) { return p->i; }
int main(void) {
    union u v;
    v.i = -5;
    int t = v.i;
    v.ll = t;
    int ok = v.ll == -5;
    v.i = 6;
    v.ll = get(&v);
    return !ok || v.ll != 6;
}
//=== pass: moved with memmove
#include <string.h>
int main(void) {
    int a[5] = { 1, 2, 3, 4, 5 };
    memmove(a + 1, a, 4 * sizeof *a);
    return a[1] != 1 || a[4] != 4;
}
//=== pass: through a pointer to itself
struct s { int a[8]; };
int main(void) {
    struct s v = { { 1, 2, 3 } }, *p = &v, *q = &v;
    long x = 7, *r = &x;
    *p = *p;
    *p = *q;
    *r = *r;
    return v.a[2] != 3 || x != 7;
}
