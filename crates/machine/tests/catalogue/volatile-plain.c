//=== fail: read through a plain pointer
// thirty-one: 27
#include <stdio.h>
int main(void) {
    volatile int v = 1;
    int *p = (int *)&v;
    printf("%d\n", *p); // UB
    return 0;
}
//=== fail: flag written by the plain way
#include <stdio.h>
static volatile int flag;
__attribute__((noinline)) static void raise_flag(int *p) {
    *p = 1; // UB
}
int main(void) {
    raise_flag((int *)&flag);
    printf("%d\n", flag);
    return 0;
}
//=== fail: a volatile member
#include <stdio.h>
struct device { int id; volatile unsigned status; };
int main(void) {
    struct device d = { 1, 2 };
    unsigned *s = (unsigned *)&d.status;
    unsigned sum = 0;
    for (int i = 0; i < 3; i++)
        sum += *s; // UB
    printf("%u\n", sum);
    return 0;
}
//=== fail: array cleared by memset
#include <stdio.h>
#include <string.h>
int main(void) {
    volatile char key[8] = "secret!";
    memset((char *)key, 0, sizeof key); // UB
    printf("%d\n", key[0]);
    return 0;
}
//=== fail: two stores of which one is lost
#include <stdio.h>
static volatile int port;
int main(void) {
    int *p = (int *)&port;
    *p = 1; // UB
    *p = 2;
    printf("%d\n", port);
    return 0;
}
//=== pass: volatile lvalue of a plain object
int main(void) {
    int x = 1;
    volatile int *p = &x;
    *p = 2;
    return x != 2;
}
//=== pass: through volatile pointers
volatile int v = 3;
static int get(const volatile int *p) { return *p; }
int main(void) { return get(&v) != 3; }
//=== pass: cast away and back
volatile int v = 4;
int main(void) {
    int *p = (int *)&v;
    return *(volatile int *)p != 4;
}
//=== pass: a volatile pointer to a plain object
int main(void) {
    int x = 5, *volatile p = &x;
    *p = 6;
    return x != 6;
}
