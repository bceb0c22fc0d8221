//=== fail: a function hidden by a local
// exploited
static int f(void) { return 1; }
#include <stdio.h>
int main(void) {
    int f = 2;
    {
        extern int f(void); // UB
        printf("%d\n", f());
    }
    return f - 2;
}
//=== fail: a function hidden by a parameter
#include <stdio.h>
static int get(void) { return 1; }
static int run(int get) {
    if (get) {
        int get(void); // UB
        return get();
    }
    return 0;
}
int main(void) {
    printf("%d\n", run(1) + get());
    return 0;
}
//=== fail: a function hidden by an enumerator
#include <stdio.h>
static int one(void);
int main(void) {
    enum { one = 1 };
    int r = one;
    {
        extern int one(void); // UB
        r = one();
    }
    printf("%d\n", r);
    return 0;
}
static int one(void) { return 1; }
//=== pass: nothing hides it
static int x = 1;
static int f(void) { return 1; }
int main(void) {
    extern int x;
    extern int f(void);
    {
        extern int x;
        int f(void);
        return x + f() != 2;
    }
}
//=== pass: external all along
int x = 1;
int f(void) { return 1; }
int main(void) {
    int x = 2, f = 2;
    {
        extern int x, f(void);
        return x + f() != 2;
    }
}
//=== pass: static after static
static int f(void);
static int x;
extern int f(void);
extern int x;
int main(void) { return f() + x; }
static int x = 0;
static int f(void) { return 0; }
