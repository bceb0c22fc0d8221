//=== fail: two of one block
#include <stdio.h>
int main(void) {
    int a[2] = { 1, 2 };
    int *restrict p = a;
    int *restrict q = a + 1;
    p = q; // UB
    printf("%d\n", *p);
    return 0;
}
//=== fail: one parameter to another
#include <stdio.h>
__attribute__((noinline)) static int last(int *restrict a, int *restrict b) {
    *b = 1;
    a = b; // UB
    *a = 2;
    return *b;
}
int main(void) {
    int x = 0, y = 0;
    printf("%d\n", last(&x, &y));
    return 0;
}
//=== fail: outer from inner
#include <stdio.h>
static int v[2] = { 5, 6 };
int main(void) {
    int *restrict outer = v;
    {
        int *restrict inner = v + 1;
        outer = inner; // UB
    }
    printf("%d\n", *outer);
    return 0;
}
//=== fail: by arithmetic, through a plain pointer
#include <stdio.h>
static int pick(int *restrict a, int *restrict b, int n) {
    int *plain = b + 1;
    for (int i = 0; i < n; i++)
        a = plain - 1; // UB
    return *a;
}
int main(void) {
    int x[2] = { 1, 2 }, y[2] = { 3, 4 };
    printf("%d\n", pick(x, y, 1));
    return 0;
}
//=== pass: inner from outer
int main(void) {
    int a[2] = { 1, 2 };
    {
        int *restrict p = a;
        {
            int *restrict q = p + 1;
            *q = 7;
        }
    }
    return a[1] != 7;
}
//=== pass: from plain pointers, and from itself
int main(void) {
    int a[3] = { 1, 2, 3 };
    int *plain = a;
    int *restrict p = plain;
    p = p + 1;
    p++;
    return *p != 3;
}
//=== pass: the value a function returned
static int *next(int *restrict p) { return p + 1; }
int main(void) {
    int a[2] = { 1, 2 };
    int *restrict p = next(a);
    return *p != 2;
}
//=== pass: parameter from the caller's pointer
static int get(int *restrict p) { return *p; }
int main(void) {
    int x = 4;
    int *restrict p = &x;
    return get(p) != 4;
}
//=== fail: a parameter to a variable of the body: one block (6.7.3.1p2)
#include <stdio.h>
static int first(int *restrict p) {
    int *restrict q = p; // UB
    return *q;
}
int main(void) {
    int x = 3;
    printf("%d\n", first(&x));
    return 0;
}
//=== pass: a parameter to a variable of an inner block
static int first(int *restrict p) {
    if (p) {
        int *restrict q = p;
        return *q;
    }
    return 0;
}
int main(void) {
    int x = 3;
    return first(&x) != 3;
}
//=== pass: a parameter to a plain variable of the body
static int first(int *restrict p) {
    int *q = p;
    return *q + *p;
}
int main(void) {
    int x = 3;
    return first(&x) != 6;
}
//=== pass: a variable of the body from a pointer that is not restrict
static int first(int *p, int *restrict other) {
    int *restrict q = p;
    return *q + *other;
}
int main(void) {
    int x = 3, y = 4;
    return first(&x, &y) != 7;
}
