//=== fail: one number missing
#include <stdio.h>
int main(void) {
    printf("%d %d\n", 1); // UB
    return 0;
}
//=== fail: format from a variable
#include <stdio.h>
static void log_line(const char *text) {
    printf(text); // UB
}
int main(void) {
    log_line("100%d\n");
    return 0;
}
//=== fail: no width
#include <stdio.h>
int main(void) {
    char buf[64];
    int n = snprintf(buf, sizeof buf, "%*d", 3); // UB
    printf("%d\n", n);
    return 0;
}
//=== fail: a string missing
// differs
#include <stdio.h>
#define LOG(format, ...) printf("%s: " format "\n", "log", ##__VA_ARGS__)
int main(void) {
    LOG("%d of %d", 1); // UB
    return 0;
}
//=== fail: a double missing
#include <stdio.h>
int main(void) {
    double d = 1.5;
    printf("%g %g\n", d); // UB
    return 0;
}
//=== pass: more arguments than needed
#include <stdio.h>
int main(void) {
    printf("%d\n", 1, 2, "three", 4.0);
    return 0;
    // prints: 1
}
//=== pass: percent signs
#include <stdio.h>
int main(void) {
    printf("100%% of %d%%\n", 5);
    return 0;
    // prints: 100% of 5%
}
//=== pass: width taken from an argument
#include <stdio.h>
int main(void) {
    printf("%*d|%-*s|%.*s\n", 3, 1, 3, "a", 1, "xyz");
    return 0;
    // prints:   1|a  |x
}
//=== fail: after a division
// exploited
#include <stdio.h>
volatile int a = 17, b = 5;
int main(void) {
    int q = a / b, r = a % 3;
    printf("%d %d %d\n", q, r); // UB
    return 0;
}
//=== fail: in a function with many values
// exploited
#include <stdio.h>
__attribute__((noinline)) static int show(long a, long b, long c, long d, long e, long f) {
    long s = a * b + c * d + e * f;
    printf("%ld %ld %ld %ld\n", s, a); // UB
    return 0;
}
int main(void) { return show(1, 2, 3, 4, 5, 6); }
