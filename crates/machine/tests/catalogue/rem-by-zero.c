//=== fail: remainder not used
// exploited
#include <stdio.h>
volatile int zero = 0;
int main(void) {
    int r = 10 % zero; // UB
    (void)r;
    puts("still here");
    return 0;
}
//=== fail: hash into an empty table
// exploited
#include <stdio.h>
struct table { unsigned size; int *slots; };
__attribute__((noinline)) static int slot(const struct table *t, unsigned key) {
    unsigned i = key % t->size; // UB
    return t->size == 0 ? -1 : (int)(i * 0);
}
int main(void) {
    struct table t = { 0, 0 };
    printf("%d\n", slot(&t, 77));
    return 0;
}
//=== fail: greatest common divisor without its test
// exploited
#include <stdio.h>
static int step(int a, int b) {
    int r = a % b; // UB
    return r == 0 ? 1 : step(b, r - 1);
}
int main(void) {
    volatile int unused = 0;
    step(7, 3);
    puts("end");
    return unused;
}
//=== fail: compound assignment of a long
// exploited
#include <stdio.h>
volatile long period = 0;
int main(void) {
    unsigned long t = 5;
    for (int i = 0; i < 2; i++)
        t %= (unsigned long)period; // UB
    puts("no wait");
    return 0;
}
//=== pass: not evaluated
volatile int zero = 0;
int main(void) {
    int z = zero;
    return (z != 0 && 5 % z == 1) || (z == 0 ? 0 : 7 % z);
}
//=== pass: remainder of zero
volatile int n = 0;
int main(void) { return n % 3 != 0 || n % -3 != 0; }
//=== pass: the sign of the dividend
volatile int a = -7, b = 3;
int main(void) { return a % b != -1 || -a % -b != 1; }
