//=== fail: two stored as a byte
// differs
#include <stdio.h>
int main(void) {
    _Bool b = 0;
    *(unsigned char *)&b = 2;
    printf("%d\n", b + 0); // UB
    return 0;
}
//=== fail: member filled by memset
// exploited
#include <stdio.h>
#include <string.h>
struct flags { _Bool on; int level; };
__attribute__((noinline)) static int count(const struct flags *f) {
    return f->on + 1; // UB
}
int main(void) {
    struct flags f;
    memset(&f, 0x55, sizeof f);
    printf("%d\n", count(&f));
    return 0;
}
//=== fail: another member of a union
// differs
#include <stdio.h>
union u { unsigned char c; _Bool b; };
__attribute__((noinline)) static const char *say(union u v) {
    if (v.b == 0) // UB
        return "no";
    return v.c == 1 ? "yes" : "neither";
}
int main(void) {
    union u v;
    v.c = 254;
    puts(say(v));
    return 0;
}
//=== fail: index by a bool
// exploited
#include <stdio.h>
#include <string.h>
static int table[8] = { 10, 11, 12, 13, 14, 15, 16, 17 };
int main(void) {
    _Bool v[2];
    memcpy(v, "\1\3", 2);
    int sum = 0;
    for (int i = 0; i < 2; i++)
        sum += table[v[i]]; // UB
    printf("%d\n", sum);
    return 0;
}
//=== pass: one stored as a byte
#include <string.h>
int main(void) {
    _Bool b;
    memset(&b, 1, sizeof b);
    return b != 1;
}
//=== pass: every other value is converted
int main(void) {
    _Bool b = 2;
    struct { _Bool f : 1; } s;
    s.f = 4;
    return b + s.f != 2 || (_Bool)0.5 != 1;
}
//=== pass: never read as a bool
#include <string.h>
struct flags { _Bool on; };
int main(void) {
    struct flags f, g;
    unsigned char c;
    memset(&f, 9, sizeof f);
    g = f;
    memcpy(&c, &f.on, 1);
    g.on = 0;
    return c != 9 || g.on;
}
//=== pass: an enum holds any value of its type
enum small { A, B };
int main(void) {
    enum small e = (enum small)77;
    e = (enum small)(e + 1);
    return e != 78;
}
