//=== fail: to a function that has returned
// exploited
#include <setjmp.h>
#include <stdio.h>
static jmp_buf env;
static int times;
__attribute__((noinline)) static int mark(void) {
    if (setjmp(env))
        return 1;
    return 0;
}
int main(void) {
    int r = mark();
    printf("%d\n", r);
    fflush(stdout);
    if (times++ < 1)
        longjmp(env, 7); // UB
    return 0;
}
//=== fail: buffer never set
#include <setjmp.h>
#include <stdio.h>
static jmp_buf env;
static void fail(void) {
    longjmp(env, 1); // UB
}
int main(void) {
    puts("before");
    fflush(stdout);
    fail();
    return 0;
}
//=== fail: handler of a call that is over
// thirty-one: 24
#include <setjmp.h>
#include <stdio.h>
struct handler { jmp_buf env; int used; };
static struct handler h;
static int depth;
__attribute__((noinline)) static void guarded(int v) {
    if (setjmp(h.env))
        h.used++;
    else
        depth += v;
}
__attribute__((noinline)) static void raise_error(void) {
    if (h.used < 1)
        longjmp(h.env, 1); // UB
}
int main(void) {
    guarded(1);
    raise_error();
    printf("%d %d\n", depth, h.used);
    return 0;
}
//=== fail: copied buffer of a dead frame
// exploited
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
static jmp_buf saved;
static int n;
__attribute__((noinline)) static void start(void) {
    jmp_buf env;
    if (setjmp(env) == 0)
        memcpy(&saved, &env, sizeof env);
    n++;
}
int main(void) {
    start();
    if (n < 2)
        longjmp(saved, 1); // UB
    printf("%d\n", n);
    return 0;
}
//=== pass: out of a callee
#include <setjmp.h>
static jmp_buf env;
static void fail(int n) {
    if (n == 0)
        longjmp(env, 3);
    fail(n - 1);
}
int main(void) {
    switch (setjmp(env)) {
    case 0: fail(5); return 1;
    case 3: return 0;
    }
    return 2;
}
//=== pass: a value of zero becomes one, several times
#include <setjmp.h>
static jmp_buf env;
static int n;
int main(void) {
    if (setjmp(env) == 1) {
        if (n == 3)
            return 0;
    }
    n++;
    if (n > 3)
        return 1;
    longjmp(env, 0);
}
//=== pass: the same buffer set again
#include <setjmp.h>
static jmp_buf env;
static int seen;
static void first(void) {
    if (setjmp(env) == 0)
        return;
    seen = 1;
}
int main(void) {
    first();
    if (setjmp(env) == 0)
        longjmp(env, 1);
    return seen;
}
