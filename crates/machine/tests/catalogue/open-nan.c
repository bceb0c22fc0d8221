//=== open: printed
// differs
#include <stdio.h>
int main(void) {
    double zero = 0.0;
    printf("%f\n", zero / zero);
    return 0;
}
//=== open: its sign
// differs
#include <stdio.h>
int main(void) {
    double zero = 0.0, n = zero / zero;
    printf("%d\n", __builtin_signbit(n) != 0);
    return 0;
}
//=== open: its bytes
// differs
#include <stdio.h>
#include <string.h>
int main(void) {
    float inf = __builtin_inff(), n = inf - inf;
    unsigned u;
    memcpy(&u, &n, sizeof u);
    printf("%x\n", u);
    return 0;
}
//=== open: its sign copied
// differs
#include <stdio.h>
int main(void) {
    double zero = 0.0;
    printf("%g\n", __builtin_copysign(1.0, 0.0 * (1.0 / zero)));
    return 0;
}
//=== pass: compared
volatile double zero = 0.0;
int main(void) {
    double z = zero, n = z / z;
    return n == n || n < 0 || n >= 0 || !(n != n);
}
//=== pass: asked for
volatile float zero = 0.0f;
int main(void) {
    float z = zero, n = z / z;
    return !__builtin_isnan(n) || __builtin_isinf(n) || !__builtin_isunordered(n, 1.0f);
}
//=== pass: spread through arithmetic, then asked for
volatile double zero = 0.0;
int main(void) {
    double z = zero, n = z / z;
    double s[2] = { n + 1, 2 * n };
    return s[0] == s[0] || s[1] == s[1] || !__builtin_isnan(-n);
}
