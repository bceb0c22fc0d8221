//=== open: a variable and a call that changes it
// differs
#include <stdio.h>
static int x = 1;
static int change(void) {
    x = 10;
    return 1;
}
int main(void) {
    printf("%d\n", x + change());
    return 0;
}
//=== open: index changed by the call whose value is stored
// differs
#include <stdio.h>
static int i, a[2];
static int next(void) {
    i = 1;
    return 5;
}
int main(void) {
    a[i] = next();
    printf("%d %d\n", a[0], a[1]);
    return 0;
}
//=== open: target of a store moved by the call
// differs
#include <stdio.h>
static int x, y, *p = &x;
static int redirect(void) {
    p = &y;
    return 3;
}
int main(void) {
    *p = redirect();
    printf("%d %d\n", x, y);
    return 0;
}
//=== open: order of an initialiser list
#include <stdio.h>
int main(void) {
    int i = 0;
    int a[2] = { i++, i++ };
    printf("%d %d\n", a[0], a[1]);
    return 0;
}
//=== open: two arguments, one of them a call
// differs
#include <stdio.h>
static int n;
static int bump(void) { return ++n; }
int main(void) {
    printf("%d %d\n", n, bump());
    return 0;
}
//=== pass: a call that does not touch the variable
static int x = 1, y;
static int change(void) {
    y = 10;
    return 1;
}
int main(void) { return x + change() != 2; }
//=== pass: sequenced by a comma
static int x = 1;
static int change(void) {
    x = 10;
    return 1;
}
int main(void) {
    int a = (change(), x);
    int b = change() && x == 10;
    return a != 10 || !b;
}
//=== pass: local of the caller
static int change(int x) {
    x = 10;
    return x;
}
int main(void) {
    int x = 1;
    return x + change(x) != 11;
}
//=== pass: only the stored object changes
static int a[2];
static int next(void) {
    a[0] = 7;
    return 5;
}
int main(void) {
    int i = 0;
    a[i] = next();
    return a[0] != 5;
}
