//=== fail: block that ended
// exploited
#include <stdio.h>
int main(void) {
    int *p;
    {
        int x = 5;
        p = &x;
    }
    {
        int y = 6;
        (void)y;
    }
    printf("%d\n", *p); // UB
    return 0;
}
//=== fail: local of the last round
#include <stdio.h>
int main(void) {
    int *p = 0, sum = 0;
    for (int i = 1; i <= 3; i++) {
        int x = i * 10;
        if (i > 1)
            sum += *p; // UB
        p = &x;
    }
    printf("%d\n", sum);
    return 0;
}
//=== fail: counter of a loop that ended
// exploited
#include <stdio.h>
struct ref { int *at; };
int main(void) {
    struct ref r;
    for (int i = 0; i < 4; i++)
        r.at = &i;
    *r.at += 1; // UB
    printf("%d\n", *r.at);
    return 0;
}
//=== fail: left by goto
// exploited
#include <stdio.h>
static void set(int **where, int *what) { *where = what; }
int main(void) {
    int *p = 0;
    {
        int a[64];
        for (int i = 0; i < 64; i++)
            a[i] = i;
        set(&p, a);
        goto out;
    }
out:;
    {
        int b[64];
        for (int i = 0; i < 64; i++)
            b[i] = -1;
        if (b[3] != -1)
            return 1;
    }
    printf("%d\n", *p); // UB
    return 0;
}
//=== fail: local of one branch
// exploited
#include <stdio.h>
volatile int long_name = 1;
int main(void) {
    const char *name = "none";
    if (long_name) {
        char buf[16] = "temporary";
        name = buf;
    }
    for (int i = 0; i < 1; i++) {
        char other[16] = "something else";
        if (other[0] != 's')
            return 1;
    }
    putchar(*name); // UB
    putchar('\n');
    return 0;
}
//=== pass: backward goto inside the block
int main(void) {
    int *p = 0;
trick:
    if (p)
        return *p;
    int x = 0;
    p = &x;
    goto trick;
}
//=== pass: inner block uses the outer object
int main(void) {
    int x = 1, *p;
    {
        p = &x;
        int y = *p;
        *p = y + 1;
    }
    return *p != 2;
}
//=== pass: the counter inside its loop
int main(void) {
    int sum = 0;
    for (int i = 0, *p = &i; i < 3; ++*p)
        sum += *p;
    return sum != 3;
}
//=== pass: static in a block
int main(void) {
    int *p;
    {
        static int kept = 7;
        p = &kept;
    }
    return *p != 7;
}
//=== pass: goto over a declaration and its object set later
int main(void) {
    goto in;
    {
        int x;
    in:
        x = 4;
        int *p = &x;
        return *p != 4;
    }
}
