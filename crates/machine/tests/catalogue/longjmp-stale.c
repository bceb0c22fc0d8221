//=== fail: local changed between the calls
// exploited
// thirty-one: 25
#include <setjmp.h>
#include <stdio.h>
static jmp_buf env;
__attribute__((noinline)) static void jump(void) { longjmp(env, 1); }
int main(void) {
    int x = 1;
    if (setjmp(env) == 0) {
        x = 2;
        jump();
    }
    printf("%d\n", x); // UB
    return 0;
}
//=== fail: counter of tries
// exploited
#include <setjmp.h>
#include <stdio.h>
static jmp_buf env;
static int calls;
__attribute__((noinline)) static void attempt(int n) {
    if (++calls < 3)
        longjmp(env, n);
}
int main(void) {
    int tries = 0;
    if (setjmp(env) != 0)
        tries = tries + 1; // UB
    else
        tries = 5;
    attempt(1);
    printf("%d\n", tries);
    return 0;
}
//=== fail: parameter changed
// exploited
#include <setjmp.h>
#include <stdio.h>
static jmp_buf env;
__attribute__((noinline)) static void jump(void) { longjmp(env, 1); }
__attribute__((noinline)) static int run(int a, int b) {
    if (setjmp(env) == 0) {
        a += 10;
        b = a;
        jump();
    }
    return a; // UB
}
int main(void) {
    printf("%d\n", run(1, 2));
    return 0;
}
//=== fail: pointer moved on
// exploited
#include <setjmp.h>
#include <stdio.h>
static jmp_buf env;
static int words[4] = { 1, 2, 3, 4 };
__attribute__((noinline)) static void check(int v) {
    if (v == 3)
        longjmp(env, v);
}
int main(void) {
    int *p = words;
    if (setjmp(env)) {
        printf("%d\n", *p); // UB
        return 0;
    }
    for (; p < words + 4; p++)
        check(*p);
    return 1;
}
//=== pass: volatile local
#include <setjmp.h>
static jmp_buf env;
static void jump(void) { longjmp(env, 1); }
int main(void) {
    volatile int x = 1;
    if (setjmp(env) == 0) {
        x = 2;
        jump();
    }
    return x != 2;
}
//=== pass: not changed between the calls
#include <setjmp.h>
static jmp_buf env;
static void jump(void) { longjmp(env, 1); }
static int run(int a) {
    int b = a + 1;
    if (setjmp(env) == 0)
        jump();
    return a + b;
}
int main(void) { return run(2) != 5; }
//=== pass: static and global
#include <setjmp.h>
static jmp_buf env;
static int g;
int main(void) {
    static int s;
    if (setjmp(env) == 0) {
        g = s = 4;
        longjmp(env, 1);
    }
    return g + s != 8;
}
//=== pass: set again after the jump, changed before the mark
#include <setjmp.h>
static jmp_buf env;
static void jump(void) { longjmp(env, 1); }
int main(void) {
    int x = 1, y = 1;
    y = 9;
    if (setjmp(env) == 0) {
        x = 2;
        jump();
    }
    x = 3;
    return x != 3 || y != 9;
}
//=== pass: a local of the callee's caller is another function's
#include <setjmp.h>
static jmp_buf env;
static void work(int *p) {
    *p = 8;
    longjmp(env, 1);
}
static int inner(int *p) {
    if (setjmp(env) == 0)
        work(p);
    return *p;
}
int main(void) {
    int x = 1;
    return inner(&x) != 8;
}
//=== fail: set to zero between the calls
#include <setjmp.h>
#include <stdio.h>
static jmp_buf env;
__attribute__((noinline)) static void jump(void) { longjmp(env, 1); }
int main(void) {
    int x;
    if (setjmp(env) == 0) {
        x = 0;
        jump();
    }
    printf("%d\n", x); // UB
    return 0;
}
//=== fail: a local of a statement expression under return
// exploited
#include <setjmp.h>
#include <stdio.h>
static jmp_buf env;
__attribute__((noinline)) static void jump(void) { longjmp(env, 1); }
__attribute__((noinline)) static int run(int a) {
    return ({
        int x = a;
        if (setjmp(env) == 0) {
            x = 2;
            jump();
        }
        x; // UB
    });
}
int main(void) {
    printf("%d\n", run(1));
    return 0;
}
//=== fail: a local of a statement expression in an initialiser
// exploited
#include <setjmp.h>
#include <stdio.h>
static jmp_buf env;
__attribute__((noinline)) static void jump(void) { longjmp(env, 1); }
int main(void) {
    int r = ({
        int x = 1;
        if (setjmp(env) == 0) {
            x = 2;
            jump();
        }
        x; // UB
    });
    printf("%d\n", r);
    return 0;
}
//=== pass: statement expressions with volatile locals
#include <setjmp.h>
static jmp_buf env;
static void jump(void) { longjmp(env, 1); }
static int run(int a) {
    while (({
        volatile int x = a;
        if (setjmp(env) == 0) {
            x = 2;
            jump();
        }
        x != 2;
    }))
        return 1;
    return 0;
}
int main(void) { return run(1); }
