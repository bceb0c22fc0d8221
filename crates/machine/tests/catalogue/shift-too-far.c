//=== fail: by the width of int
// exploited
#include <stdio.h>
__attribute__((noinline)) static unsigned mask(int bits) {
    return (1u << bits) - 1; // UB
}
int main(void) {
    printf("%u\n", mask(32));
    return 0;
}
//=== fail: a byte is promoted to int only
// exploited
#include <stdio.h>
static unsigned char bytes[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
int main(void) {
    unsigned long long v = 0;
    for (int i = 0; i < 8; i++)
        v |= (unsigned)bytes[i] << 8 * i; // UB
    printf("%llx\n", v);
    return 0;
}
//=== fail: right shift by 64
// exploited
#include <stdio.h>
struct range { unsigned long bits; int count; };
static unsigned long high(const struct range *r) {
    return r->bits >> (64 - r->count); // UB
}
int main(void) {
    struct range r = { 0xffff, 0 };
    printf("%lu\n", high(&r));
    return 0;
}
//=== fail: long on the smaller target
// exploited
// target: i386
#include <stdio.h>
int main(void) {
    int n = 40;
    long x = 1L << n; // UB
    printf("%ld\n", x);
    return 0;
}
//=== fail: rotate without a mask
// exploited
#include <stdio.h>
#define ROTATE(x, n) ((x) << (n) | (x) >> (32 - (n)))
int main(void) {
    unsigned x = 0x80000001u, r = 0;
    for (int n = 1; n >= 0; n--)
        r += ROTATE(x, n); // UB
    printf("%x\n", r);
    return 0;
}
//=== fail: a huge count of type long
#include <stdio.h>
int main(void) {
    long by = 1L << 33;
    unsigned one = 1;
    one <<= by; // UB
    printf("%u\n", one);
    return 0;
}
//=== pass: by the width minus one
volatile unsigned one = 1;
volatile int n = 31;
int main(void) { return one << n != 2147483648u || one << 31 >> 31 != 1 || 1ull << 63 >> 63 != 1; }
//=== pass: a short is shifted as int
volatile short s = 1;
volatile unsigned char c = 127;
int main(void) { return s << 16 != 65536 || c << 24 != 2130706432 || c >> 31 != 0; }
//=== pass: a rotate that masks its count
static unsigned rotate(unsigned x, int n) { return x << (n & 31) | x >> (-n & 31); }
int main(void) { return rotate(0x80000001u, 0) != 0x80000001u || rotate(0x80000001u, 1) != 3; }
