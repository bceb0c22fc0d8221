//=== fail: back into the scope of an array that ended
#include <setjmp.h>
#include <stdio.h>
static jmp_buf env;
static int n = 3, times;
int main(void) {
    {
        int a[n];
        a[0] = 1;
        if (setjmp(env))
            times++;
    }
    if (times < 1)
        longjmp(env, 1); // UB
    printf("%d\n", times);
    return 0;
}
//=== fail: into the last round of a loop
#include <setjmp.h>
#include <stdio.h>
static jmp_buf env;
static int times;
int main(void) {
    for (volatile int i = 1; i < 3; i++) {
        char buf[i];
        buf[0] = 'a';
        if (i == 1) {
            if (setjmp(env))
                times++;
        }
    }
    if (times == 0)
        longjmp(env, 2); // UB
    printf("%d\n", times);
    return 0;
}
//=== fail: scope of a pointer to an array left by goto
#include <setjmp.h>
#include <stdio.h>
static jmp_buf env;
static int cols = 4, times;
static int m[2][4];
int main(void) {
    {
        int (*row)[cols] = m;
        (*row)[0] = 2;
        if (setjmp(env) == 0)
            goto out;
        times++;
    }
out:
    if (times == 0)
        longjmp(env, 1); // UB
    printf("%d\n", times);
    return 0;
}
//=== pass: out of a function with an array
#include <setjmp.h>
static jmp_buf env;
static void deep(int n) {
    int a[n];
    a[n - 1] = n;
    if (a[n - 1] == 3)
        longjmp(env, 1);
    deep(n + 1);
}
int main(void) {
    if (setjmp(env) == 0) {
        deep(1);
        return 1;
    }
    return 0;
}
//=== pass: inside the scope
#include <setjmp.h>
static jmp_buf env;
static int n = 4;
int main(void) {
    int a[n];
    a[2] = 6;
    if (setjmp(env) == 0)
        longjmp(env, 1);
    return a[2] != 6;
}
//=== pass: set before the array's block
#include <setjmp.h>
static jmp_buf env;
static int n = 4, jumped;
int main(void) {
    if (setjmp(env) == 0) {
        int a[n];
        a[0] = 1;
        jumped = a[0];
        longjmp(env, 1);
    }
    return jumped != 1;
}
