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
//=== pass: objects with pointers swapped byte by byte
#include <stdio.h>
#include <stddef.h>
// prints: y x
// prints: 2 two 1 one
static void swap(void *a, void *b, size_t n) {
    char *p = a, *q = b;
    while (n--) {
        char t = *p;
        *p++ = *q;
        *q++ = t;
    }
}
int main(void) {
    char *x = "x", *y = "y";
    struct { int k; char *s; } u = { 1, "one" }, v = { 2, "two" };
    swap(&x, &y, sizeof x);
    printf("%s %s\n", x, y);
    swap(&u, &v, sizeof u);
    printf("%d %s %d %s\n", u.k, u.s, v.k, v.s);
    return 0;
}
//=== pass: a pointer turned around and back, and one at an odd place
#include <string.h>
static void turn(void *p) {
    unsigned char *b = p;
    for (unsigned i = 0; i < sizeof(char *) / 2; i++) {
        unsigned char t = b[i];
        b[i] = b[sizeof(char *) - 1 - i];
        b[sizeof(char *) - 1 - i] = t;
    }
}
int main(void) {
    char *x = "xyz", *y = 0, packed[3 + sizeof(char *)];
    turn(&x);
    turn(&x);
    memcpy(packed + 3, &x, sizeof x);
    for (unsigned i = 0; i < sizeof y; i++)
        ((char *)&y)[i] = packed[3 + i];
    return x[1] != 'y' || y[2] != 'z';
}
