//=== fail: the value assigned
#include <setjmp.h>
static jmp_buf env;
int main(void) {
    volatile int r;
    r = setjmp(env); // UB
    if (r == 0)
        longjmp(env, 1);
    return 0;
}
//=== fail: an initialiser
#include <setjmp.h>
static jmp_buf env;
int main(void) {
    int r = setjmp(env); // UB
    return r;
}
//=== fail: under a logical operator
#include <setjmp.h>
#include <stdio.h>
static jmp_buf env;
int main(int argc, char **argv) {
    if (argc > 0 && setjmp(env) == 0) // UB
        puts("x");
    return 0;
}
//=== fail: compared with what is not a constant
#include <setjmp.h>
static jmp_buf env;
int main(void) {
    int zero = 0;
    if (setjmp(env) == zero) // UB
        return 0;
    return 1;
}
//=== fail: returned
#include <setjmp.h>
static jmp_buf env;
static int mark(void) { return setjmp(env); } // UB
int main(void) { return mark(); }
//=== fail: twice negated, in a conditional, as a clause
#include <setjmp.h>
static jmp_buf env;
int main(void) {
    if (!!setjmp(env)) // UB
        return 1;
    for (setjmp(env); 0;)
        ;
    return setjmp(env) ? 1 : 0;
}
//=== pass: whole conditions
#include <setjmp.h>
#include <stdio.h>
static jmp_buf env;
static volatile int n;
enum { NONE, SOME };
int main(void) {
    if (setjmp(env))
        n++;
    if (n < 1)
        longjmp(env, 1);
    if (!setjmp(env))
        longjmp(env, 1);
    switch (setjmp(env)) {
    case 0: longjmp(env, 2);
    case 2: break;
    default: return 1;
    }
    while (setjmp(env) != 3L)
        longjmp(env, 3);
    do
        n++;
    while (SOME < setjmp(env));
    for (; setjmp(env) < 4;)
        longjmp(env, 4);
    printf("%d\n", n);
    return 0;
}
// prints: 2
//=== pass: whole statements
#include <setjmp.h>
static jmp_buf env;
static volatile int n;
int main(void) {
    setjmp(env);
    if (n++ < 1)
        longjmp(env, 1);
    (void)setjmp(env);
    if (n++ < 3)
        longjmp(env, 1);
    return n != 4;
}
//=== pass: by the letter only
// letter
#include <setjmp.h>
#include <stdio.h>
static jmp_buf env;
static volatile int n;
int main(void) {
    int r = setjmp(env);
    if (n++ < 2)
        longjmp(env, n);
    printf("%d\n", r);
    return 0;
}
// prints: 2
