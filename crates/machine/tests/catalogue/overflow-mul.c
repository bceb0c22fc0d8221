//=== fail: unsigned short times itself is int
// exploited
#include <stdio.h>
volatile unsigned short side = 65535;
__attribute__((noinline)) static int area(unsigned short a, unsigned short b) {
    int r = a * b; // UB
    return r < 0;
}
int main(void) {
    unsigned short s = side;
    printf("%d\n", area(s, s));
    return 0;
}
//=== fail: doubled and halved
// exploited
#include <stdio.h>
volatile int seen = 1500000000;
__attribute__((noinline)) static int there_and_back(int x) {
    return x * 2 / 2; // UB
}
int main(void) {
    printf("%d\n", there_and_back(seen));
    return 0;
}
//=== fail: a square that is negative
// exploited
#include <stdio.h>
struct point { int x, y; };
__attribute__((noinline)) static int inside(struct point p) {
    int d = p.x * p.x; // UB
    return d >= 0;
}
int main(void) {
    struct point p = { 60000, 0 };
    printf("%d\n", inside(p));
    return 0;
}
//=== fail: factorial
#include <stdio.h>
static int factorial(int n) {
    return n <= 1 ? 1 : n * factorial(n - 1); // UB
}
int main(void) {
    printf("%d\n", factorial(13) > 0);
    return 0;
}
//=== fail: hash step in a loop
#include <stdio.h>
int main(void) {
    const char *s = "overflowing";
    int h = 7;
    for (int i = 0; s[i]; i++)
        h = h * 31 + s[i] % 2; // UB
    printf("%d\n", h > 0);
    return 0;
}
//=== fail: an index scaled
// exploited
#include <stdio.h>
volatile int start = 100000000;
int main(void) {
    int n = 0, s = start;
    for (int i = s; i < s + 3; i++) {
        long byte = i * 25; // UB
        n += byte > 0;
    }
    printf("%d\n", n);
    return 0;
}
//=== pass: the largest products
volatile int a = 46340, b = 65536, c = -32768;
int main(void) {
    int x = a;
    return x * x != 2147395600 || b * c != -2147483647 - 1;
}
//=== pass: unsigned multiplication wraps
volatile unsigned a = 65536;
int main(void) {
    unsigned x = a;
    return x * x != 0 || x * x * 3u + 5u != 5;
}
//=== pass: one operand widened
volatile int a = 2147483647;
volatile unsigned short s = 65535;
int main(void) {
    int x = a;
    unsigned short y = s;
    return (long long)x * x != 4611686014132420609LL || (unsigned)y * y != 4294836225u;
}
