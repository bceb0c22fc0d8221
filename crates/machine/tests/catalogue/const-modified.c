//=== fail: a local
// exploited
// thirty-one: 26
#include <stdio.h>
int main(void) {
    const int limit = 1;
    *(int *)&limit = 2; // UB
    printf("%d\n", limit);
    return 0;
}
//=== fail: by a function that takes a plain pointer
// exploited
#include <stdio.h>
__attribute__((noinline)) static void reset(int *p) {
    *p = 9; // UB
}
int main(void) {
    const int start = 4;
    reset((int *)&start);
    printf("%d\n", start);
    return 0;
}
//=== fail: a member of a struct
#include <stdio.h>
struct s { const int id; int v; };
__attribute__((noinline)) static void renumber(struct s *p) {
    *(int *)&p->id = 8; // UB
}
int main(void) {
    struct s x = { 3, 4 };
    renumber(&x);
    printf("%d\n", x.id);
    return 0;
}
//=== fail: a global table
// exploited
#include <stdio.h>
static const int table[3] = { 1, 2, 3 };
int main(void) {
    int *p = (int *)table;
    for (int i = 0; i < 3; i++)
        p[i] = 0; // UB
    printf("%d\n", table[0]);
    return 0;
}
//=== fail: by memcpy
// exploited
#include <stdio.h>
#include <string.h>
int main(void) {
    const long secret = 5;
    long other = 6;
    memcpy((void *)&secret, &other, sizeof other); // UB
    printf("%ld\n", secret);
    return 0;
}
//=== fail: a const parameter, incremented
#include <stdio.h>
__attribute__((noinline)) static int f(const int n) {
    int *p = (int *)&n;
    ++*p; // UB
    return n;
}
int main(void) {
    printf("%d\n", f(1));
    return 0;
}
//=== pass: pointer to const, object not const
static int f(const int *p) {
    *(int *)p = 2;
    return *p;
}
int main(void) {
    int x = 1;
    return f(&x) != 2;
}
//=== pass: a const pointer to a plain object
int main(void) {
    int x = 1;
    int *const p = &x;
    const int *q = &x;
    *p = 5;
    return *q != 5;
}
//=== pass: the plain member beside a const one
struct s { const int id; int v; };
int main(void) {
    struct s x = { 3, 4 };
    struct s *p = &x;
    p->v = 6;
    return x.v != 6 || x.id != 3;
}
//=== pass: a const struct copied to a plain one
struct s { int v[2]; };
int main(void) {
    const struct s a = { { 1, 2 } };
    struct s b = a;
    b.v[0] = 9;
    return a.v[0] != 1 || b.v[0] != 9;
}
