//=== fail: a constant address
// exploited
#include <stdio.h>
int main(void) {
    int x = *(int *)4096; // UB
    (void)x;
    puts("still here");
    return 0;
}
//=== fail: a pointer of all ones
// exploited
#include <stdio.h>
#include <string.h>
struct ref { int *p; };
int main(void) {
    struct ref r;
    memset(&r, 0xf0, sizeof r);
    int v = *r.p; // UB
    printf("%d\n", v * 0);
    return 0;
}
//=== fail: an integer in a union
#include <stdint.h>
#include <stdio.h>
union word { uintptr_t n; char *p; };
__attribute__((noinline)) static void clear(union word *w) {
    *w->p = 0; // UB
}
int main(void) {
    union word w;
    w.n = 16;
    clear(&w);
    puts("cleared");
    return 0;
}
//=== fail: a call to a number
#include <stdint.h>
#include <stdio.h>
static uintptr_t handlers[2] = { 0, 1 };
int main(void) {
    void (*f)(void) = (void (*)(void))handlers[1];
    f(); // UB
    puts("called");
    return 0;
}
//=== pass: an invalid address is only kept
#include <stdint.h>
int main(void) {
    char *p = (char *)(intptr_t)-1;
    return p == 0;
}
//=== pass: made from an exposed pointer
#include <stdint.h>
int main(void) {
    int x = 4;
    uintptr_t n = (uintptr_t)&x;
    *(int *)n = 6;
    return x != 6;
}
//=== pass: bytes of a pointer copied
#include <string.h>
int main(void) {
    int x = 3, *p = &x, *q;
    unsigned char bytes[sizeof p];
    memcpy(bytes, &p, sizeof p);
    memcpy(&q, bytes, sizeof q);
    *q = 8;
    return x != 8;
}
