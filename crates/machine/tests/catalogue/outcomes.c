//=== outcome(exit 0): main returns
int main(void) { return 0; }
//=== outcome(exit 3): value of main
static int three(void) { return 3; }
int main(void) { return three(); }
//=== outcome(exit 3): exit from a callee
#include <stdlib.h>
static void deep(int n) {
    if (n == 0)
        exit(3);
    deep(n - 1);
}
int main(void) {
    deep(5);
    return 1;
}
//=== outcome(exit 255): status is a byte
int main(void) { return -1; }
//=== outcome(exit 4): _Exit runs no handlers
#include <stdlib.h>
static void handler(void) { abort(); }
int main(void) {
    atexit(handler);
    _Exit(4);
}
//=== outcome(exit 0): end of main
int main(void) {
}
//=== outcome(abort): abort
#include <stdlib.h>
int main(void) { abort(); }
//=== outcome(abort): failed assert
#include <assert.h>
int main(void) {
    int x = 1;
    assert(x == 2);
    return 0;
}
//=== outcome(abort): abort in a handler
#include <stdlib.h>
static void handler(void) { abort(); }
int main(void) {
    atexit(handler);
    return 0;
}
//=== outcome(abort): trap
int main(void) { __builtin_trap(); }
//=== outcome(fuel): endless loop
volatile int x;
int main(void) {
    for (;;)
        x++, x = 0;
}
//=== outcome(fuel): endless loop without side effects
int main(void) {
    unsigned n = 1;
    while (n)
        n += 2;
    return 0;
}
//=== outcome(fuel): goto
int main(void) {
again:
    goto again;
}
//=== outcome(fuel): long but finite
int main(void) {
    unsigned long long n = 0;
    for (unsigned long long i = 0; i < 1000000000000000ull; i++)
        n ^= i;
    return n == 1;
}
//=== outcome(fuel): longjmp for ever
#include <setjmp.h>
static jmp_buf env;
int main(void) {
    setjmp(env);
    longjmp(env, 1);
}
//=== outcome(memory): endless recursion
static int deep(int n) { return n < 0 ? 0 : deep(n & 7) + 1; }
int main(void) { return deep(1); }
//=== outcome(memory): endless recursion of main
int main(void) {
    int a[16] = { 0 };
    return main() + a[0];
}
//=== outcome(memory): endless allocation
#include <stdlib.h>
int main(void) {
    for (;;) {
        char *p = malloc(4096);
        if (p)
            p[0] = 1;
    }
}
//=== outcome(memory): one huge allocation
#include <stdlib.h>
int main(void) {
    char *p = malloc(1ul << 46);
    return p != 0;
}
//=== outcome(memory): a huge variable length array
volatile long n = 1l << 40;
int main(void) {
    char a[n];
    a[0] = 1;
    return a[0];
}
//=== outcome(memory): alloca in a loop
volatile int sink;
int main(void) {
    for (;;) {
        char *p = __builtin_alloca(1024);
        p[0] = 1;
        sink = p[0];
    }
}
//=== outcome(output): endless output
#include <stdio.h>
int main(void) {
    for (;;)
        puts("again and again");
}
//=== outcome(output): one huge field
#include <stdio.h>
int main(void) {
    for (int i = 0; i < 100000; i++)
        printf("%1000000d\n", i);
    return 0;
}
//=== outcome(bad-program): no main
int f(void) { return 0; }
//=== outcome(bad-program): no function at all
int main_ = 5;
//=== outcome(bad-program): main with internal linkage
static int main(void) { return 0; }
//=== outcome(exit 0): a name given by asm that nobody uses
extern int error_text(int) __asm__("other_name");
int main(void) { return 0; }
//=== outcome(bad-program): function not defined
int missing(int);
int main(void) { return missing(1); }
//=== outcome(bad-program): object not defined
extern int missing;
int main(void) { return missing; }
//=== outcome(bad-program): two definitions
int f(void) { return 1; }
int main(void) { return f(); }
//=== file: b.c
int f(void) { return 2; }
//=== outcome(bad-program): two tentative definitions
int shared;
int main(void) { return shared; }
//=== file: b.c
int shared;
//=== outcome(bad-program): inline without an external definition
inline int f(void) { return 1; }
int main(void) { return f(); }
//=== open: the name that a program was called by
#include <stdio.h>

int main(int argc, char **argv) {
    printf("%d %s\n", argc, argv[0]);
    return 0;
}

//=== open: the length of the program's name
#include <string.h>

int main(int argc, char **argv) {
    return argc == 1 && strlen(argv[0]) > 3 ? 0 : 1;
}

//=== open: whether there is an environment
int main(int argc, char **argv, char **env) {
    return argc == 1 && argv[1] == 0 && env[0] != 0;
}

//=== pass: arguments that nobody chooses
// prints: 1 1 1 x
#include <stdio.h>

int main(int argc, char **argv) {
    char *own = argv[0];
    argv[0] = "x";
    printf("%d %d %d %s\n", argc, argv[1] == 0, own != 0, argv[0]);
    return 0;
}
//=== pass: what is never evaluated needs no definition
void missing(void);
extern int nowhere;
int main(void) {
    if (0)
        missing();
    int r = 0 && (missing(), 1);
    return r || (1 ? 0 : nowhere) || sizeof nowhere != 4;
}
//=== outcome(bad-program): a missing definition that a level may need
void missing(void);
int main(void) {
    int zero = 0;
    if (zero)
        missing();
    return 0;
}
//=== outcome(bad-program): a missing definition in a loop that never runs
void missing(void);
int main(void) {
    while (0)
        missing();
    return 0;
}
//=== outcome(bad-program): a missing definition in a function nobody calls
void missing(void);
static void unused(void) { missing(); }
int main(void) { return 0; }
//=== outcome(bad-program): missing in a dead branch that has a label
void missing(void);
int main(void) {
    switch (1) {
        if (0) {
            missing();
    case 1:
            return 0;
        }
    }
    return 1;
}
//=== outcome(bad-program): missing where a level decides what is constant
void missing(void);
static inline int big(int x) {
    if (__builtin_constant_p(x))
        missing();
    return x;
}
int main(void) {
    int y = 1;
    for (int i = 0; i < 3; i++)
        y += i;
    return big(4) - 4 + (y < 0);
}
