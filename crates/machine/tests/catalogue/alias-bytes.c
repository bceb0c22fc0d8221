//=== fail: char array as int
// thirty-one: 4
#include <stdio.h>
static _Alignas(int) char buf[4];
int main(void) {
    *(int *)buf = 7; // UB
    printf("%d\n", *(int *)buf);
    return 0;
}
//=== fail: arena of bytes
// exploited
#include <stdio.h>
static _Alignas(8) unsigned char arena[64];
static unsigned used;
static void *take(unsigned n) {
    void *p = arena + used;
    used += n;
    return p;
}
__attribute__((noinline)) static int mix(int *i, float *f) {
    *i = 1; // UB
    *f = 2.0f;
    return *i;
}
int main(void) {
    int *i = take(4);
    used = 0;
    float *f = take(4);
    printf("%d\n", mix(i, f));
    return 0;
}
//=== fail: header of a message
#include <stdio.h>
struct header { short kind, length; };
int main(void) {
    _Alignas(4) char message[8] = { 1, 0, 2, 0 };
    struct header *h = (struct header *)message;
    printf("%d\n", h->kind); // UB
    return 0;
}
//=== fail: character member as long
// exploited
#include <stdio.h>
struct slot { long tag; char data[8]; };
__attribute__((noinline)) static int reuse(long *a, double *b) {
    *a = 3; // UB
    *b = 4.0;
    return *a == 3;
}
int main(void) {
    struct slot s = { 0, "" };
    printf("%d\n", reuse((long *)s.data, (double *)s.data));
    return 0;
}
//=== pass: an int as char array
int main(void) {
    int x = 0x01020304;
    char *p = (char *)&x;
    p[0] = 5;
    return x != 0x01020305;
}
//=== pass: bytes from the heap
#include <stdlib.h>
int main(void) {
    char *p = malloc(8);
    if (!p)
        return 0;
    *(int *)p = 5;
    int v = *(int *)p;
    free(p);
    return v != 5;
}
//=== pass: copied in and out
#include <string.h>
int main(void) {
    char buf[8];
    double d = 1.5, e;
    memcpy(buf, &d, sizeof d);
    memcpy(&e, buf, sizeof e);
    return e != 1.5;
}
//=== pass: signed and unsigned char
int main(void) {
    char a[3] = "ab";
    unsigned char *u = (unsigned char *)a;
    signed char *s = (signed char *)a;
    u[1] = 'x';
    return s[1] != 'x' || a[1] != 'x';
}
//=== fail: bytes of a struct that is read as a whole
// exploited
#include <stdio.h>
static struct s { int n; char b[4]; } g;
__attribute__((noinline)) static int both(int *p, struct s *q) {
    struct s t;
    *p = 2; // UB
    t = *q;
    *p = 3;
    return t.b[0];
}
int main(void) {
    printf("%d\n", both((int *)g.b, &g));
    return 0;
}
