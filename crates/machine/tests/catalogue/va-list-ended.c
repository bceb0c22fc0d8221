//=== fail: after va_end
// exploited
#include <stdarg.h>
#include <stdio.h>
static int get(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int a = va_arg(ap, int);
    va_end(ap);
    a += va_arg(ap, int); // UB
    return a;
}
int main(void) {
    printf("%d\n", get(2, 1, 2));
    return 0;
}
//=== fail: handed on and used again
#include <stdarg.h>
#include <stdio.h>
static int take(va_list ap) { return va_arg(ap, int); }
static int sum(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int s = take(ap);
    s = s * 10 + va_arg(ap, int); // UB
    va_end(ap);
    return s;
}
int main(void) {
    printf("%d\n", sum(2, 1, 2));
    return 0;
}
//=== fail: printed twice
// exploited
#include <stdarg.h>
#include <stdio.h>
static void twice(const char *format, ...) {
    va_list ap;
    va_start(ap, format);
    for (int i = 0; i < 2; i++)
        vprintf(format, ap); // UB
    va_end(ap);
}
int main(void) {
    twice("%d %d\n", 1, 2);
    return 0;
}
//=== fail: never started
// exploited
// or: uninit
#include <stdarg.h>
#include <stdio.h>
static int get(int n, ...) {
    va_list ap;
    if (n > 5)
        va_start(ap, n);
    int v = va_arg(ap, int); // UB
    va_end(ap);
    return v;
}
int main(void) {
    printf("%d\n", get(1, 7) == 7);
    return 0;
}
//=== fail: copied after its end
// exploited
#include <stdarg.h>
#include <stdio.h>
static int get(int n, ...) {
    va_list ap, again;
    va_start(ap, n);
    va_end(ap);
    va_copy(again, ap); // UB
    int v = va_arg(again, int);
    va_end(again);
    return v;
}
int main(void) {
    printf("%d\n", get(1, 7) == 7);
    return 0;
}
//=== pass: started again
#include <stdarg.h>
static int twice(int n, ...) {
    va_list ap;
    int s = 0;
    for (int i = 0; i < 2; i++) {
        va_start(ap, n);
        s += va_arg(ap, int);
        va_end(ap);
    }
    return s;
}
int main(void) { return twice(1, 4) != 8; }
//=== pass: handed on by pointer
#include <stdarg.h>
static int take(va_list *ap) { return va_arg(*ap, int); }
static int sum(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int a = take(&ap);
    int b = va_arg(ap, int);
    va_end(ap);
    return a * 10 + b;
}
int main(void) { return sum(2, 1, 2) != 12; }
//=== pass: a copy for each use
#include <stdarg.h>
#include <stdio.h>
static void twice(const char *format, ...) {
    va_list ap, copy;
    va_start(ap, format);
    va_copy(copy, ap);
    vprintf(format, ap);
    vprintf(format, copy);
    va_end(copy);
    va_end(ap);
}
int main(void) {
    twice("%d\n", 3);
    return 0;
    // prints: 3
    // prints: 3
}
//=== pass: handed on, then only ended
#include <stdarg.h>
static int take(va_list ap) { return va_arg(ap, int); }
static int first(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int v = take(ap);
    va_end(ap);
    return v;
}
int main(void) { return first(1, 6) != 6; }
