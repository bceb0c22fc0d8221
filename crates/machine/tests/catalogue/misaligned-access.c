//=== fail: address of a packed member
#include <stdio.h>
struct __attribute__((packed, aligned(4))) packet { char kind; int value; };
static int load(const int *p) {
    return *p; // UB
}
int main(void) {
    struct packet p = { 1, 77 };
    printf("%d\n", load(&p.value));
    return 0;
}
//=== fail: a pointer put together from bytes
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *block = calloc(16, 1), *c = block + 2;
    int *p;
    if (!block)
        return 1;
    memcpy(&p, &c, sizeof p);
    *p = 5; // UB
    printf("%d\n", block[2]);
    free(block);
    return 0;
}
//=== fail: a pointer through a union
#include <stdio.h>
#include <stdlib.h>
union cursor { char *byte; long *word; };
int main(void) {
    char *block = calloc(64, 1);
    union cursor at;
    if (!block)
        return 1;
    at.byte = block;
    for (int i = 0; i < 4; i++) {
        *at.word = i; // UB
        at.byte += 9;
    }
    printf("%d\n", block[9]);
    free(block);
    return 0;
}
//=== fail: array of packed structs
#include <stdio.h>
#pragma pack(push, 1)
struct sample { char tag; double v; };
#pragma pack(pop)
static struct sample samples[2] = { { 'a', 1.5 }, { 'b', 2.5 } };
int main(void) {
    double *p[2] = { &samples[0].v, &samples[1].v };
    double sum = 0;
    for (int i = 0; i < 2; i++)
        sum += *p[i]; // UB
    printf("%g\n", sum);
    return 0;
}
//=== fail: a long run of packed halves
#include <stdio.h>
struct __attribute__((packed)) odd { char c; unsigned short v[1000]; };
static _Alignas(8) struct odd data;
__attribute__((noinline)) static unsigned sum(const unsigned short *p, int n) {
    unsigned s = 0;
    for (int i = 0; i < n; i++)
        s += p[i]; // UB
    return s;
}
int main(void) {
    printf("%u\n", sum(data.v, 1000));
    return 0;
}
//=== pass: packed members by name
struct __attribute__((packed)) packet { char kind; int value; short s[2]; };
int main(void) {
    struct packet p = { 1, 77, { 2, 3 } }, *q = &p;
    q->value++;
    return p.value != 78 || q->s[1] != 3 || sizeof p != 9;
}
//=== pass: a packed member that happens to be aligned
struct __attribute__((packed, aligned(4))) packet { int value; char kind; };
int main(void) {
    struct packet p = { 5, 1 };
    int *q = &p.value;
    return *q != 5;
}
//=== pass: a type of lower alignment
typedef int unaligned __attribute__((aligned(1), may_alias));
int main(void) {
    int a[2] = { 0, 0 };
    unaligned *p = (unaligned *)((char *)a + 1);
    *p = 1;
    return a[0] != 256 || a[1] != 0;
}
//=== fail: two wide integers in a packed struct
// differs
#include <stdio.h>
struct __attribute__((packed, aligned(16))) two { long head; __int128 wide; };
static struct two t;
__attribute__((noinline)) static void set(__int128 *p, const __int128 *q) {
    *p = *q; // UB
}
int main(void) {
    __int128 five = 5;
    set(&t.wide, &five);
    printf("%d\n", (int)t.wide);
    return 0;
}
//=== fail: accessed where it is aligned by luck
// letter
#include <stdio.h>
static char buf[8];
typedef int any __attribute__((may_alias));
int main(void) {
    any *p = (any *)buf;
    *p = 1; // UB
    printf("%d\n", buf[0]);
    return 0;
}
