//=== fail: quotient not used
// exploited
#include <stdio.h>
volatile int zero = 0;
int main(void) {
    int q = 10 / zero; // UB
    (void)q;
    puts("still here");
    return 0;
}
//=== fail: checked too late
// exploited
#include <stdio.h>
volatile int input = 0;
__attribute__((noinline)) static int rate(int total, int count) {
    int r = total / count; // UB
    if (count == 0)
        return -1;
    return r & 0;
}
int main(void) {
    printf("%d\n", rate(100, input));
    return 0;
}
//=== fail: divisor computed in a loop
// exploited
#include <stdio.h>
int main(void) {
    int sum = 0;
    for (int i = 3; i >= 0; i--)
        sum += (12 / i) * 0; // UB
    printf("%d\n", sum);
    return 0;
}
//=== fail: long quotient from a table, compound assignment
// exploited
#include <stdio.h>
static long table[4] = { 5, 3, 0, 1 };
int main(void) {
    long x = 1000;
    for (int i = 0; i < 4; i++)
        x /= table[i]; // UB
    puts("done");
    return 0;
}
//=== pass: not evaluated
volatile int zero = 0;
int main(void) {
    int z = zero;
    int a = z && 10 / z;
    int b = z ? 10 / z : 5;
    int c = sizeof(10 / z);
    return a != 0 || b != 5 || c != sizeof(int);
}
//=== pass: floating division by zero
volatile double zero = 0.0;
int main(void) {
    double inf = 1.0 / zero;
    return !(inf > 1e308) || !(-1.0 / zero < -1e308);
}
//=== pass: zero divided, and by a small float as double
volatile int n = 0;
volatile int two = 2;
int main(void) {
    double d = two / 0.5;
    return n / two != 0 || n / -two != 0 || d != 4.0;
}
