//=== fail: the sign bit
#include <stdio.h>
volatile int n = 31;
int main(void) {
    int x = 1 << n; // UB
    printf("%d\n", x);
    return 0;
}
//=== fail: bytes put together as int
#include <stdio.h>
static unsigned char bytes[4] = { 0x12, 0x34, 0x56, 0xf8 };
int main(void) {
    unsigned v = 0;
    for (int i = 0; i < 4; i++)
        v |= bytes[i] << 8 * i; // UB
    printf("%x\n", v);
    return 0;
}
//=== fail: compound shift of a long long
#include <stdio.h>
static void twice(long long *p) {
    *p <<= 1; // UB
}
int main(void) {
    long long v = 0x4000000000000000LL;
    twice(&v);
    printf("%lld\n", v);
    return 0;
}
//=== fail: several bits lost
#include <stdio.h>
#define FIELD(v, at) ((v) << (at))
int main(void) {
    int v = 0x1234567;
    printf("%d\n", FIELD(v, 12)); // UB
    return 0;
}
//=== pass: the highest value bit
volatile int n = 30;
int main(void) { return 1 << n != 1073741824 || 0 << 31 != 0 || 1LL << 62 != 4611686018427387904LL; }
//=== pass: unsigned bits fall off
volatile unsigned x = 0xffffffffu;
int main(void) { return x << 31 != 2147483648u || (x << 4) != 0xfffffff0u; }
//=== pass: widened before the shift
volatile int x = 1;
int main(void) { return (long long)x << 31 != 2147483648LL || (unsigned)x << 31 != 2147483648u; }
//=== pass: C90 does not limit the result
// std: gnu89
volatile int hundred = 128;
int main(void) {
    return hundred << 24 >= 0;
}
