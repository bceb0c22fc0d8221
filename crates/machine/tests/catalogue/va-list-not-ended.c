//=== fail: early return
#include <stdarg.h>
#include <stdio.h>
static int find(int key, ...) {
    va_list ap;
    int v;
    va_start(ap, key);
    while ((v = va_arg(ap, int)) != 0)
        if (v == key)
            return 1; // UB
    va_end(ap);
    return 0;
}
int main(void) {
    printf("%d\n", find(2, 1, 2, 3, 0));
    return 0;
}
//=== fail: the copy is forgotten
#include <stdarg.h>
#include <stdio.h>
static int twice(int n, ...) {
    va_list ap, copy;
    va_start(ap, n);
    va_copy(copy, ap);
    int v = va_arg(ap, int) + va_arg(copy, int);
    va_end(ap);
    return v; // UB
}
int main(void) {
    printf("%d\n", twice(1, 4));
    return 0;
}
//=== fail: handed on and never ended
#include <stdarg.h>
#include <stdio.h>
static int take(va_list ap) { return va_arg(ap, int); }
static int first(int n, ...) {
    va_list ap;
    va_start(ap, n);
    return take(ap); // UB
}
int main(void) {
    printf("%d\n", first(1, 3));
    return 0;
}
//=== pass: ended on each path
#include <stdarg.h>
static int find(int key, ...) {
    va_list ap;
    int v, found = 0;
    va_start(ap, key);
    while (!found && (v = va_arg(ap, int)) != 0)
        found = v == key;
    va_end(ap);
    return found;
}
int main(void) { return !find(2, 1, 2, 3, 0) || find(5, 1, 0); }
//=== pass: list and copy ended
#include <stdarg.h>
static int twice(int n, ...) {
    va_list ap, copy;
    va_start(ap, n);
    va_copy(copy, ap);
    int v = va_arg(ap, int) + va_arg(copy, int);
    va_end(copy);
    va_end(ap);
    return v;
}
int main(void) { return twice(1, 4) != 8; }
//=== pass: declared, never started
#include <stdarg.h>
static int quiet(int n, ...) {
    va_list ap;
    (void)sizeof ap;
    return n;
}
int main(void) { return quiet(0, 1, 2); }
