//=== fail: the builtin
// exploited
#include <stdint.h>
#include <stdio.h>
static _Alignas(16) char block[64];
int main(void) {
    volatile int off = 4;
    char *p = __builtin_assume_aligned(block + off, 16); // UB
    printf("%d\n", (int)((uintptr_t)p & 15));
    return 0;
}
//=== fail: the attribute
// exploited
#include <stdint.h>
#include <stdio.h>
static _Alignas(32) char block[64];
volatile int used = 8;
__attribute__((assume_aligned(32), noinline)) static void *take(void) {
    return block + used; // UB
}
int main(void) {
    void *p = take();
    printf("%d\n", ((uintptr_t)p & 31) == 0);
    return 0;
}
//=== fail: with an offset
// exploited
#include <stdint.h>
#include <stdio.h>
static _Alignas(16) char block[64];
__attribute__((noinline)) static int low(char *p) {
    p = __builtin_assume_aligned(p, 16, 8); // UB
    return (int)((uintptr_t)p & 15);
}
int main(void) {
    printf("%d\n", low(block));
    return 0;
}
//=== pass: aligned as promised
static _Alignas(16) char block[64];
static int get(char *p) {
    int *q = __builtin_assume_aligned(p, 4);
    return q != 0;
}
int main(void) { return !get(block) || !get(block + 16); }
//=== pass: more than promised
static _Alignas(64) int block[32];
__attribute__((assume_aligned(16))) static int *take(void) { return block + 4; }
int main(void) {
    *take() = 5;
    return block[4] != 5;
}
//=== pass: with an offset
static _Alignas(16) char block[64];
int main(void) {
    char *p = __builtin_assume_aligned(block + 20, 16, 4);
    *p = 3;
    return block[20] != 3;
}
