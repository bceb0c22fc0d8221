//=== fail: a variable never set
int main(void) {
    int x;
    x; // UB
    return 0;
}
//=== fail: silenced as unused
#include <stdio.h>
int main(void) {
    int unused;
    (void)unused; // UB
    printf("done\n");
    return 0;
}
//=== fail: behind a null pointer
#include <stdio.h>
__attribute__((noinline)) static int look(int *p) {
    *p; // UB
    return p == 0;
}
int main(void) {
    printf("%d\n", look(0));
    return 0;
}
//=== fail: a pointer to freed memory
#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof *p);
    free(p);
    p; // UB
    return 0;
}
//=== fail: left of a comma
int main(void) {
    int x, y = 2, *p = &x;
    int z = (x, y); // UB
    return z - (p == &x) * 2;
}
//=== fail: an element after the last
int main(void) {
    int a[2] = { 1, 2 }, *p = a;
    p += 2;
    *p; // UB
    return a[0] - 1;
}
//=== pass: values that are set
int g = 3;
int main(void) {
    int x = 1, *p = &x;
    x;
    *p;
    (void)x;
    (void)*p;
    g, *p;
    int a[2] = { 1, 2 };
    for (p = a; p < a + 2; *p++)
        ;
    return p != a + 2;
}
//=== pass: not read at all
int main(void) {
    int x, a[2], *p = &x;
    &x;
    (void)&x;
    a;
    (void)sizeof x;
    (void)&*p;
    return p != &x;
}
//=== pass: a volatile one is really read
// prints: 5
#include <stdio.h>
volatile int v = 5;
int main(void) {
    v;
    (void)v;
    printf("%d\n", v);
    return 0;
}
//=== pass: by the letter only
// letter
int main(void) {
    int x, *p = 0;
    x;
    (void)x;
    *p;
    return 0;
}
