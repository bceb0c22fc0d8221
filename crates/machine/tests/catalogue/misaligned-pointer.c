//=== fail: odd byte as int
#include <stdio.h>
static int a[2] = { 0x01020304, 0x05060708 };
int main(void) {
    int *p = (int *)((char *)a + 1); // UB
    printf("%x\n", *p);
    return 0;
}
//=== fail: through void pointer
#include <stdio.h>
#include <stdlib.h>
static long get(void *at) {
    long *p = at; // UB
    return p != 0;
}
int main(void) {
    char *block = calloc(32, 1);
    if (!block)
        return 1;
    printf("%ld\n", get(block + 4));
    free(block);
    return 0;
}
//=== fail: record in a byte stream
#include <stdio.h>
struct record { short kind; int value; };
static unsigned char stream[16] __attribute__((aligned(8)));
int main(void) {
    unsigned char *p = stream;
    int n = 0;
    for (int i = 0; i < 2; i++, p += 6)
        n += ((struct record *)p != 0); // UB
    printf("%d\n", n);
    return 0;
}
//=== fail: vectorised loop over an odd array
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) static unsigned sum(const unsigned short *p, int n) {
    unsigned s = 0;
    for (int i = 0; i < n; i++)
        s += p[i];
    return s;
}
int main(void) {
    char *block = calloc(4096, 1);
    if (!block)
        return 1;
    printf("%u\n", sum((unsigned short *)(block + 1), 1000)); // UB
    return 0;
}
//=== pass: aligned again
int main(void) {
    int a[2] = { 1, 2 };
    char *p = (char *)a + 1;
    int *q = (int *)(p + 3);
    return *q != 2;
}
//=== pass: a type that needs no alignment
struct bytes { unsigned char a, b; };
int main(void) {
    int x[2] = { 0, 0 };
    struct bytes *p = (struct bytes *)((char *)x + 1);
    short s[2] = { 1, 2 };
    short *q = (short *)((char *)s + 2);
    return p == 0 || *q != 2;
}
//=== pass: copied out
#include <string.h>
int main(void) {
    unsigned char stream[8] = { 9, 1, 0, 0, 0, 9, 9, 9 };
    int v;
    memcpy(&v, stream + 1, sizeof v);
    return v != 1;
}
//=== pass: long long is aligned to four in a struct
// target: i386
struct s { int a; long long b; };
int main(void) {
    struct s v = { 1, 2 };
    return sizeof v != 12 || v.b != 2;
}
//=== pass: functions have the alignment that is asked for
static void f(void) __attribute__((aligned(256)));
static void f(void) {}
int main(void) { return __alignof__(f) != 256 || ((unsigned long)f & 255) != 0; }
//=== fail: a character array as int, wherever it is placed
#include <stdio.h>
int main(void) {
    char buf[8] = { 0 };
    int *p = (int *)buf; // UB
    printf("%d\n", p != 0);
    return 0;
}
//=== fail: an array of shorts as int
#include <stdio.h>
static short a[4];
int main(void) {
    int *p = (int *)&a[2]; // UB
    printf("%d\n", p != 0);
    return 0;
}
//=== pass: converted, and used as what it is
// letter
#include <stdlib.h>
static int doubled(int wide, void *p) {
    int *i = p;
    long *l = p;
    return wide ? (int)(*l += *l) : (*i += *i);
}
int main(void) {
    int i = 1;
    long l = 2;
    return doubled(0, &i) != 2 || doubled(1, &l) != 4;
}
