//=== fail: falls off its end
// exploited
#include <stdio.h>
static int tries;
__attribute__((noinline)) _Noreturn static void fail(void) {
    tries++; // UB
}
__attribute__((noinline)) static int check(int x) {
    if (x < 0)
        fail();
    return x;
}
int main(void) {
    volatile int v = -1;
    printf("%d\n", check(v));
    return 0;
}
//=== fail: by the attribute, with return
// exploited
#include <stdio.h>
__attribute__((noreturn, noinline)) static void stop(int code) {
    if (code == 0)
        return; // UB
    for (;;)
        ;
}
int main(void) {
    puts("before");
    fflush(stdout);
    stop(0);
    puts("after");
    return 0;
}
//=== fail: through a pointer
// exploited
#include <stdio.h>
#include <stdlib.h>
_Noreturn static void quit(int n) {
    if (n)
        exit(n);
    puts("not yet");
    fflush(stdout); // UB
}
static void (*handler)(int) = quit;
int main(void) {
    handler(0);
    puts("returned");
    return 0;
}
//=== pass: exit and abort
#include <stdlib.h>
_Noreturn static void stop(int n) {
    if (n)
        abort();
    exit(0);
}
int main(void) { stop(0); }
//=== pass: longjmp
#include <setjmp.h>
static jmp_buf env;
_Noreturn static void fail(int n) { longjmp(env, n); }
int main(void) {
    if (setjmp(env) == 0)
        fail(2);
    return 0;
}
//=== pass: declared, never called
_Noreturn void never(void);
static int choose(int x) {
    if (x > 100)
        never();
    return x;
}
_Noreturn void never(void) {
    for (;;)
        ;
}
int main(void) { return choose(0); }
//=== fail: declared so in the caller's file only
// exploited
#include <stdio.h>
_Noreturn void f(int);
int main(void) {
    f(1);
}
//=== file: b.c
#include <stdio.h>
void f(int x) {
    printf("%d\n", x); // UB
}
//=== fail: an alias promises not to return
// exploited
#include <stdio.h>
void f(int x) { if (x > 100) __builtin_abort(); } // UB
void g(int x) __attribute__((alias("f"), noreturn));
int main(int argc, char **argv) {
    g(argc);
    puts("back");
    return 0;
}
//=== pass: an alias that does not return, of a function that may
#include <stdlib.h>
void f(int x) {
    if (x > 0)
        exit(0);
}
void g(int x) __attribute__((alias("f"), noreturn));
int main(void) {
    f(0);
    g(1);
}
