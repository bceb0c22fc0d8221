//=== fail: null
// exploited
#include <stdio.h>
volatile int none = 1;
__attribute__((noinline)) static int first(int a[static 1]) {
    if (!a)
        return -1;
    return 0;
}
int main(void) {
    int x = 1;
    int *p = none ? 0 : &x;
    printf("%d\n", first(p)); // UB
    return 0;
}
//=== fail: a shorter array
#include <stdio.h>
static int sum(const int v[static 4], int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += v[i];
    return s;
}
int main(void) {
    int a[3] = { 1, 2, 3 };
    printf("%d\n", sum(a, 3)); // UB
    return 0;
}
//=== fail: the rest of an array
#include <stdio.h>
static char third(char s[static 3]) { return s[0]; }
int main(void) {
    char text[5] = "abcd";
    for (int i = 0; i < 4; i++)
        putchar(third(text + i)); // UB
    putchar('\n');
    return 0;
}
//=== fail: bound from another parameter
#include <stdio.h>
struct vec { int n; int *data; };
static int last(int n, int v[static n]) { return v[0]; }
int main(void) {
    int data[2] = { 1, 2 };
    struct vec v = { 3, data };
    printf("%d\n", last(v.n, v.data)); // UB
    return 0;
}
//=== pass: exactly, and more
static int third(const int v[static 3]) { return v[2]; }
int main(void) {
    int a[3] = { 1, 2, 3 }, b[5] = { 1, 2, 3, 4, 5 };
    return third(a) != 3 || third(b + 2) != 5;
}
//=== pass: one object, and the heap
#include <stdlib.h>
static int get(int v[static 1]) { return v[0]; }
int main(void) {
    int x = 4, *p = malloc(sizeof *p);
    if (!p)
        return 0;
    *p = 5;
    int r = get(&x) + get(p);
    free(p);
    return r != 9;
}
//=== pass: no static, no promise
static int count(int v[4], int n) { return v ? n : -1; }
int main(void) {
    int a[1] = { 0 };
    return count(0, 1) != -1 || count(a, 1) != 1;
}
