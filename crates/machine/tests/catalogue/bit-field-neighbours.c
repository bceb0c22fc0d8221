//=== unsupported: neighbouring bit-fields through two restrict pointers
// exploited
#include <stdio.h>
struct s { unsigned a : 4, b : 4; };
__attribute__((noinline)) static void f(struct s *restrict p, struct s *restrict q) {
    p->a = 1;
    q->b = 2;
    p->a = 3;
}
int main(void) {
    struct s s = { 0, 0 };
    f(&s, &s);
    printf("%u %u\n", s.a, s.b);
    return 0;
}
//=== unsupported: neighbouring bit-fields, one of them by its name
#include <stdio.h>
struct s { unsigned a : 8, b : 8, : 0, c : 8; } s;
__attribute__((noinline)) static unsigned f(struct s *restrict p) {
    s.b = 7;
    p->a = p->a + 1;
    return s.b;
}
int main(void) {
    unsigned r = f(&s);
    printf("%u %u %u\n", r, s.a, s.b);
    return 0;
}
//=== unsupported: a bit-field and a byte of its neighbour through two restrict pointers
#include <stdio.h>
struct s { unsigned a : 8, b : 8; };
__attribute__((noinline)) static void f(struct s *restrict p, unsigned char *restrict q) {
    p->a = 1;
    q[1] = 2;
    p->a = 3;
}
int main(void) {
    struct s s = { 0, 0 };
    f(&s, (unsigned char *)&s);
    printf("%u %u\n", s.a, s.b);
    return 0;
}
//=== pass: bit-fields of two memory locations through two restrict pointers
struct s { unsigned a : 4, : 0, b : 4; int c; unsigned d : 4; };
__attribute__((noinline)) static void f(struct s *restrict p, struct s *restrict q) {
    p->a = 1;
    q->b = 2;
    p->a = 3;
    q->d = 4;
    p->c = 5;
}
int main(void) {
    struct s s = { 0 };
    f(&s, &s);
    return s.a != 3 || s.b != 2 || s.c != 5 || s.d != 4;
}
//=== pass: neighbouring bit-fields that only one of two restrict pointers changes
struct s { unsigned a : 4, b : 4; };
__attribute__((noinline)) static unsigned f(struct s *restrict p, struct s *restrict q) {
    p->a = 1;
    unsigned b = q->b;
    p->a = 3;
    return b + q->b;
}
__attribute__((noinline)) static void g(struct s *restrict p) {
    struct s *q = p;
    p->a = 5;
    q->b = 6;
    p->a = 7;
}
int main(void) {
    struct s s = { 0, 2 };
    if (f(&s, &s) != 4 || s.a != 3)
        return 1;
    s.b = 3;
    g(&s);
    return s.a != 7 || s.b != 6;
}
