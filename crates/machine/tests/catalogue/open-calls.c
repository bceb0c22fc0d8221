//=== open: two arguments that print
// differs
#include <stdio.h>
static int say(int x) {
    printf("%d ", x);
    return x;
}
static int add(int a, int b) { return a + b; }
int main(void) {
    printf("%d\n", add(say(1), say(2)));
    return 0;
}
//=== open: two numbers from one counter
// differs
#include <stdio.h>
static int last;
static int next(void) { return ++last; }
static int minus(int a, int b) { return a - b; }
int main(void) {
    printf("%d\n", minus(next(), next()));
    return 0;
}
//=== open: two elements popped
// differs
#include <stdio.h>
static int stack[3] = { 1, 2, 3 }, top = 3;
static int pop(void) { return stack[--top]; }
int main(void) {
    printf("%d %d\n", pop(), pop());
    return 0;
}
//=== open: index and value from calls
// differs
#include <stdio.h>
static int n;
static int next(void) { return n++; }
int main(void) {
    int a[2] = { 9, 9 };
    a[next()] = next();
    printf("%d %d\n", a[0], a[1]);
    return 0;
}
//=== open: operands of a sum that print
#include <stdio.h>
static int a(void) {
    putchar('a');
    return 1;
}
static int b(void) {
    putchar('b');
    return 2;
}
int main(void) {
    int s = a() + b();
    printf("%d\n", s);
    return 0;
}
//=== pass: each has its own state
static int x, y;
static int a(void) { return ++x; }
static int b(void) { return ++y; }
static int minus(int p, int q) { return p - q; }
int main(void) { return minus(a(), b()) != 0 || a() - b() != 0; }
//=== pass: the sum is the same
static int last;
static int next(void) { return ++last; }
int main(void) { return next() + next() != 3 || last != 2; }
//=== pass: only one of them prints
#include <stdio.h>
static int loud(void) {
    puts("loud");
    return 1;
}
static int quiet(void) { return 2; }
static int add(int a, int b) { return a + b; }
int main(void) {
    return add(quiet(), loud()) != 3;
    // prints: loud
}
//=== pass: both only read
static int v[3] = { 1, 2, 3 };
static int at(int i) { return v[i]; }
static int minus(int p, int q) { return p - q; }
int main(void) { return minus(at(2), at(0)) != 2; }
//=== pass: a compound assignment reads after the calls of its right side
static unsigned x[1] = { 2 };
static unsigned set(void) {
    x[0] |= 128;
    return 1;
}
static int n = 1;
static int bump(void) { return n += 10; }
int main(void) {
    x[0] |= set();
    n += bump();
    return x[0] != 131 || n != 22;
}
//=== pass: the same in floating and complex arithmetic
static double d = 1;
static _Complex double z = 1;
static double twice(void) { return d *= 2; }
static _Complex double more(void) { return z += 2; }
int main(void) {
    d += twice();
    z += more();
    return d != 4 || __real__ z != 6;
}
//=== open: the place of a compound assignment
// differs
#include <stdio.h>
static int i, a[2] = { 5, 7 };
static int next(void) { return ++i; }
int main(void) {
    a[i] += next();
    printf("%d %d\n", a[0], a[1]);
    return 0;
}
