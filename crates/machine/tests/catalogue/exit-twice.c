//=== fail: exit in a handler
#include <stdio.h>
#include <stdlib.h>
static void last(void) {
    puts("last");
    exit(3); // UB
}
int main(void) {
    atexit(last);
    exit(1);
}
//=== fail: in a handler after main returned
#include <stdlib.h>
static int failed = 1;
static void check(void) {
    if (failed)
        exit(2); // UB
}
int main(void) {
    atexit(check);
    return 0;
}
//=== fail: deep in a handler, one of two
#include <stdio.h>
#include <stdlib.h>
static int left = 2;
static void drop(int n) {
    if (n == 0)
        exit(left); // UB
    drop(n - 1);
}
static void first(void) { left--; }
static void second(void) { drop(2); }
int main(void) {
    atexit(first);
    atexit(second);
    puts("end");
    return 0;
}
//=== pass: handlers in reverse order
#include <stdio.h>
#include <stdlib.h>
static void a(void) { puts("a"); }
static void b(void) { puts("b"); }
int main(void) {
    atexit(a);
    atexit(b);
    return 0;
    // prints: b
    // prints: a
}
//=== pass: _Exit in a handler
#include <stdlib.h>
static void last(void) { _Exit(0); }
int main(void) {
    atexit(last);
    return 3;
}
//=== pass: exit once, from deep inside
#include <stdlib.h>
static void deep(int n) {
    if (n == 0)
        exit(0);
    deep(n - 1);
}
int main(void) {
    deep(4);
    return 1;
}
//=== fail: from a destructor of the program
// differs
#include <stdio.h>
#include <stdlib.h>
__attribute__((destructor)) static void last(void) {
    exit(5); // UB
}
int main(void) {
    puts("end");
    exit(0);
}
