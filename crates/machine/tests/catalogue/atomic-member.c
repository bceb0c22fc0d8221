//=== fail: member read
#pragma clang diagnostic ignored "-Watomic-access"
#include <stdio.h>
struct pair { int a, b; };
static _Atomic struct pair shared;
int main(void) {
    printf("%d\n", shared.a); // UB
    return 0;
}
//=== fail: member written through a pointer
#pragma clang diagnostic ignored "-Watomic-access"
#include <stdio.h>
struct pair { int a, b; };
static _Atomic struct pair shared;
static void set(_Atomic struct pair *p, int v) {
    p->b = v; // UB
}
int main(void) {
    set(&shared, 3);
    puts("set");
    return 0;
}
//=== fail: member of an atomic union
#pragma clang diagnostic ignored "-Watomic-access"
#include <stdio.h>
union word { int i; char c[4]; };
int main(void) {
    _Atomic union word w = (union word){ 5 };
    int sum = 0;
    for (int i = 0; i < 2; i++)
        sum += w.i; // UB
    printf("%d\n", sum);
    return 0;
}
//=== pass: read and written as a whole
struct pair { int a, b; };
static _Atomic struct pair shared;
int main(void) {
    struct pair p = { 1, 2 };
    shared = p;
    struct pair q = shared;
    return q.a != 1 || q.b != 2;
}
//=== pass: an atomic member of a plain struct
struct s { _Atomic int n; int m; };
int main(void) {
    struct s v = { 1, 2 };
    v.n += 3;
    v.n++;
    return v.n != 5 || v.m != 2;
}
//=== pass: member of the copied value
struct pair { int a, b; };
static _Atomic struct pair shared;
static struct pair load(_Atomic struct pair *p) { return *p; }
int main(void) { return load(&shared).b != 0; }
