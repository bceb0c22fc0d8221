//=== fail: stored before the pointer is declared
#include <stdio.h>
int main(void) {
    int a[2] = { 0 };
    a[1] = 2;
    int *restrict p = a;
    printf("%d\n", p[1]); // UB
    return 0;
}
//=== fail: stored through another pointer before
#include <stdio.h>
int main(void) {
    int x = 1, *q = &x;
    *q = 2;
    int *restrict p = &x;
    *p += 1; // UB
    printf("%d\n", x);
    return 0;
}
//=== fail: stored before the pointer is set
#include <stdlib.h>
int main(void) {
    int *a = malloc(4 * sizeof *a);
    int *restrict p;
    if (!a)
        return 1;
    for (int i = 0; i < 4; i++)
        a[i] = i;
    p = a;
    return p[3] != 3; // UB
}
//=== pass: only read before
#include <stdio.h>
int main(void) {
    int a[2] = { 1, 2 };
    int s = a[0];
    {
        int *restrict p = a;
        printf("%d\n", p[1] + s);
    }
    return 0;
    // prints: 3
}
//=== pass: stored in the block around
int main(void) {
    int a[2] = { 0 };
    a[1] = 2;
    {
        int *restrict p = a;
        p[1]++;
        if (p[1] != 3)
            return 1;
    }
    return 0;
}
//=== pass: a parameter
static int f(int *restrict p) { return p[1]; }
int main(void) {
    int a[2] = { 0 };
    a[1] = 2;
    return f(a) != 2;
}
