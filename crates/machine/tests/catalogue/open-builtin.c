//=== open: is a local constant
// differs
#include <stdio.h>
int main(void) {
    int x = 5;
    printf("%d\n", __builtin_constant_p(x));
    return 0;
}
//=== open: is a parameter constant
// differs
#include <stdio.h>
static inline int scale(int n) { return __builtin_constant_p(n) ? n * 2 : n * 3; }
int main(void) {
    printf("%d\n", scale(4));
    return 0;
}
//=== open: size of what a pointer points to
// differs
#include <stdio.h>
static char buf[16];
static long room(char *p) { return (long)__builtin_object_size(p, 0); }
int main(void) {
    printf("%ld\n", room(buf + 4));
    return 0;
}
//=== open: size of an allocation
// differs
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(24);
    if (p && __builtin_object_size(p, 1) == 24)
        puts("known");
    else
        puts("unknown");
    free(p);
    return 0;
}
//=== pass: a literal is constant
int main(void) { return __builtin_constant_p(5) != 1 || __builtin_constant_p(2 * 3 + 1) != 1; }
//=== pass: chosen when compiled
int main(void) {
    int x = 4;
    return __builtin_choose_expr(1, x, "no") != 4 || !__builtin_types_compatible_p(int, signed int) || __builtin_expect(x == 4, 1) != 1;
}
//=== pass: the answer is not used
int main(void) {
    int x = 4;
    (void)__builtin_constant_p(x);
    return x != 4;
}
//=== pass: string and floating literals are constant
int main(void) { return !__builtin_constant_p("hi") || !__builtin_constant_p(1.5); }
