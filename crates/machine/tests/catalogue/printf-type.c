//=== fail: int for a floating conversion
#include <stdio.h>
int main(void) {
    printf("%.1f\n", 3); // UB
    return 0;
}
//=== fail: double for an integer conversion
#include <stdio.h>
#define SHOW(x) printf("%d\n", x)
int main(void) {
    double d = 2.5;
    SHOW(d); // UB
    return 0;
}
//=== fail: a number for a string
#include <stdio.h>
static const char *format[2] = { "%d\n", "%s\n" };
int main(void) {
    for (int i = 0; i < 2; i++)
        printf(format[i], 5); // UB
    return 0;
}
//=== fail: int for long
#include <stdio.h>
struct entry { int size; };
int main(void) {
    struct entry e = { -1 };
    printf("%ld\n", e.size); // UB
    return 0;
}
//=== fail: long long for int, then more
#include <stdio.h>
int main(void) {
    long long big = 0x100000002LL;
    char buf[40];
    int n = snprintf(buf, sizeof buf, "%d %d", big, 7); // UB
    printf("%s %d\n", buf, n);
    return 0;
}
//=== fail: width of the wrong type
#include <stdio.h>
int main(void) {
    double width = 4;
    printf("[%*d]\n", width, 7); // UB
    return 0;
}
//=== fail: a long double as a double
#include <stdio.h>
int main(void) {
    long double d = 1.0L;
    printf("%g\n", d); // UB
    return 0;
}
//=== pass: promoted arguments
#include <stdio.h>
int main(void) {
    char c = 'c';
    short s = -2;
    float f = 1.5f;
    unsigned char u = 200;
    _Bool b = 1;
    printf("%c %d %.1f %d %d\n", c, s, f, u, b);
    return 0;
    // prints: c -2 1.5 200 1
}
//=== pass: length modifiers
#include <stddef.h>
#include <stdio.h>
int main(void) {
    long l = -5;
    unsigned long long q = 1ull << 63;
    size_t z = 6;
    ptrdiff_t t = -7;
    printf("%ld %llu %zu %td %hd %hhu\n", l, q, z, t, (short)3, (unsigned char)255);
    return 0;
    // prints: -5 9223372036854775808 6 -7 3 255
}
//=== pass: width and precision as int, long double
#include <stdio.h>
int main(void) {
    printf("[%*d] [%-*d] [%.*f] [%.2Lf]\n", 4, 7, 3, 1, 2, 1.0, 2.5L);
    return 0;
    // prints: [   7] [1  ] [1.00] [2.50]
}
//=== fail: what the stack held before
// differs
#include <stdio.h>
__attribute__((noinline)) static double fill(int n) {
    volatile double v[24];
    for (int i = 0; i < 24; i++)
        v[i] = i + n;
    return v[3];
}
int main(void) {
    int whole = (int)fill(1);
    printf("%g %g\n", whole, 2); // UB
    return 0;
}
//=== fail: an int where a long is read, its upper half left over
#include <stdio.h>
__attribute__((noinline)) static void show(long wide, int x) {
    long y = wide * 3 - wide * 2;
    printf("%ld %ld\n", y - wide, x); // UB
}
int main(void) {
    show(0x700000000L, -2);
    return 0;
}
