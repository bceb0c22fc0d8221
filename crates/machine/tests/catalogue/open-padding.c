//=== open: padding after a literal was assigned
// differs
#include <stdio.h>
#include <string.h>
struct s { char c; int i; };
__attribute__((noinline)) static void set(struct s *p) { *p = (struct s){ 1, 2 }; }
int main(void) {
    struct s v;
    memset(&v, 0x55, sizeof v);
    set(&v);
    printf("%d\n", ((unsigned char *)&v)[1]);
    return 0;
}
//=== open: structs compared as bytes
#include <stdio.h>
#include <string.h>
struct s { char c; int i; };
__attribute__((noinline)) static struct s make(void) {
    struct s v = { 1, 2 };
    return v;
}
int main(void) {
    struct s a, b;
    memset(&a, 0xff, sizeof a);
    memset(&b, 0, sizeof b);
    a.c = 1;
    a.i = 2;
    b = make();
    printf("%d\n", memcmp(&a, &b, sizeof a) == 0);
    return 0;
}
//=== open: the tail of a union
// differs
#include <stdio.h>
union u { int i; char c; };
__attribute__((noinline)) static void set(union u *p) { *p = (union u){ .c = 5 }; }
int main(void) {
    union u v;
    v.i = 0x01020304;
    set(&v);
    printf("%x\n", (unsigned)v.i);
    return 0;
}
//=== open: bytes behind a long double
// differs
#include <stdio.h>
#include <string.h>
__attribute__((noinline)) static void set(long double *p, long double v) { *p = v; }
int main(void) {
    long double d;
    memset(&d, 0x11, sizeof d);
    set(&d, 1.0L);
    unsigned char b[sizeof d];
    memcpy(b, &d, sizeof d);
    printf("%d\n", b[12]);
    return 0;
}
//=== open: padding of a copied struct
#include <stdio.h>
#include <string.h>
struct s { char c; long l; };
int main(void) {
    struct s a, b;
    memset(&a, 0x77, sizeof a);
    memset(&b, 0, sizeof b);
    a.c = 1;
    a.l = 2;
    b = a;
    printf("%d\n", ((unsigned char *)&b)[4]);
    return 0;
}
//=== open: unused bits beside a bit-field
// differs
#include <stdio.h>
#include <string.h>
struct s { unsigned a : 3; };
__attribute__((noinline)) static void set(struct s *p) { *p = (struct s){ 1 }; }
int main(void) {
    struct s v;
    memset(&v, 0xff, sizeof v);
    set(&v);
    unsigned char c;
    memcpy(&c, &v, 1);
    printf("%d\n", c);
    return 0;
}
//=== pass: members compared
#include <string.h>
struct s { char c; int i; };
int main(void) {
    struct s a, b;
    memset(&a, 1, sizeof a);
    memset(&b, 2, sizeof b);
    a.c = b.c = 3;
    a.i = b.i = 4;
    return a.c != b.c || a.i != b.i || memcmp(&a.i, &b.i, sizeof a.i) != 0;
}
//=== pass: a struct without padding
#include <string.h>
struct s { short a, b; int i; };
int main(void) {
    struct s a = { 1, 2, 3 }, b;
    b.i = 3;
    b.b = 2;
    b.a = 1;
    return memcmp(&a, &b, sizeof a) != 0;
}
//=== pass: only set as bytes
#include <string.h>
struct s { char c; int i; };
int main(void) {
    struct s a, b;
    memset(&a, 0, sizeof a);
    memcpy(&b, &a, sizeof b);
    return memcmp(&a, &b, sizeof a) != 0 || ((char *)&b)[1] != 0;
}
//=== pass: the common bytes of a union
union u { int i; unsigned char c[4]; };
int main(void) {
    union u v;
    v.i = 0x01020304;
    v.c[0] = 9;
    return v.c[0] != 9;
}
//=== pass: a flexible array in a union keeps what it is given
union packet {
    struct { int n; char data[]; } head;
    char bytes[16];
};
int main(void) {
    union packet p;
    p.head.data[0] = 1;
    p.head.data[5] = 2;
    p.head.n = 6;
    p.head.data[1] = 3;
    return p.head.data[0] != 1 || p.head.data[5] != 2 || p.head.data[1] != 3 || p.bytes[4] != 1;
}
//=== pass: and so does one of no length
union packet {
    struct { int n; struct { short k, data[0]; } last; } head;
    char bytes[16];
};
int main(void) {
    union packet *p = &(union packet){ .head = { 1 } };
    p->head.last.data[1] = 5;
    p->head.last.k = 2;
    return p->head.last.data[1] != 5 || p->head.n != 1;
}
//=== open: elements of a flexible array in a struct that is stored whole
// differs
#include <stdio.h>
#include <stdlib.h>
struct list { long n; char c; char d[]; };
int main(void) {
    struct list *p = malloc(32);
    if (!p)
        return 0;
    p->d[0] = 'a';
    *p = (struct list){ .n = 1, .c = 2 };
    printf("%d\n", p->d[0] == 'a');
    return 0;
}
//=== open: elements of a flexible array in a struct that is copied
#include <stdio.h>
#include <stdlib.h>
struct list { int n; char c; char d[]; };
int main(void) {
    struct list *p = malloc(32), *q = malloc(32);
    if (!p || !q)
        return 0;
    *p = (struct list){ 1, 2 };
    p->d[0] = 'a';
    *q = *p;
    q->d[1] = 'b';
    printf("%c\n", q->d[0]);
    return 0;
}
//=== open: elements of a flexible array in an argument
#include <stdio.h>
struct list { int n; char kind; char data[]; };
static struct list g = { 1, 'k', { "ab" } };
static int first(struct list m) { return m.data[0]; }
int main(void) {
    printf("%d\n", first(g));
    return 0;
}
//=== pass: members beside a flexible array leave its elements alone
struct list { int n; char kind; char data[]; };
static struct list g = { 1, 'k', { "ab" } };
int main(void) {
    struct list m = { 1, 2 };
    m.data[0] = 7;
    m.kind = 3;
    m.n = 4;
    g.kind = 'l';
    return m.data[0] != 7 || g.data[0] != 'a' || g.data[1] != 'b';
}
//=== pass: elements of a flexible array that come after the struct is stored
#include <stdlib.h>
#include <string.h>
struct list { int n; char kind; char data[]; };
int main(void) {
    struct list *p = malloc(sizeof *p + 16);
    if (!p)
        return 0;
    *p = (struct list){ 5, 'k' };
    strcpy(p->data, "hello");
    p->n++;
    int wrong = strcmp(p->data, "hello") != 0 || p->kind != 'k' || p->n != 6;
    free(p);
    return wrong;
}
