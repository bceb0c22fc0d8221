//=== fail: unknown conversion
#include <stdio.h>
int main(void) {
    printf("%y %d\n", 1, 2); // UB
    return 0;
}
//=== fail: ends in a percent sign
#include <stdio.h>
static const char *format = "50%";
int main(void) {
    int n = printf(format); // UB
    printf("\n%d\n", n);
    return 0;
}
//=== fail: a flag the conversion does not have
#include <stdio.h>
int main(void) {
    char buf[16];
    snprintf(buf, sizeof buf, "%#d", 5); // UB
    puts(buf);
    return 0;
}
//=== fail: a length the conversion does not have
#include <stdio.h>
int main(void) {
    for (int i = 0; i < 1; i++)
        printf("%hs %Ld\n", "ab", 3LL); // UB
    return 0;
}
//=== fail: percent with a width
#include <stdio.h>
int main(void) {
    printf("[%5%]\n"); // UB
    return 0;
}
//=== pass: flags that go with the conversion
#include <stdio.h>
int main(void) {
    printf("%#x %#o %+d % d %05d %-5d| %#.0f %+.2e\n", 255u, 8u, 1, 2, -3, 4, 1.0, 1234.5);
    return 0;
    // prints: 0xff 010 +1  2 -0003 4    | 1. +1.23e+03
}
//=== pass: flags that are ignored
#include <stdio.h>
int main(void) {
    printf("%05.3d|%-05d|%+ d\n", 7, 8, 9);
    return 0;
    // prints:   007|8    |+9
}
//=== pass: no precision, zero precision
#include <stdio.h>
int main(void) {
    printf("[%.d] [%.0d] [%.f] [%.s] [%.3d]\n", 0, 0, 2.5, "abc", 5);
    return 0;
    // prints: [] [] [2] [] [005]
}
