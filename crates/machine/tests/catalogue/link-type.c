//=== fail: array declared as a pointer
#include <stdio.h>
int get(void);
int table[4] = { 1, 2, 3, 4 };
int main(void) {
    printf("%d\n", get());
    return 0;
}
//=== file: b.c
extern int *table; // UB
int get(void) { return table != 0; }
//=== fail: int declared as float
#include <stdio.h>
int shared = 1;
void set(void);
int main(void) {
    set();
    printf("%d\n", shared);
    return 0;
}
//=== file: b.c
extern float shared; // UB
void set(void) { shared = 2.0f; }
//=== fail: another result type
// exploited
#include <stdio.h>
int half(int);
int main(void) {
    printf("%d\n", half(9) == 4);
    return 0;
}
//=== file: b.c
double half(int x) { // UB
    return x / 2;
}
//=== fail: another number of parameters
#include <stdio.h>
int last(int, int);
int main(void) {
    printf("%d\n", last(1, 2) == 2);
    return 0;
}
//=== file: b.c
int last(int a, int b, int c) { // UB
    return c;
}
//=== fail: a larger array
// exploited
#include <stdio.h>
int total(void);
int before[2], v[2] = { 1, 2 }, after[2] = { 5, 5 };
int main(void) {
    printf("%d\n", total());
    return 0;
}
//=== file: b.c
extern int v[4]; // UB
int total(void) { return v[0] + v[1] + v[2] + v[3]; }
//=== fail: members in another order
#include <stdio.h>
struct pair { int a; char b; };
struct pair p = { 1, 2 };
int get(void);
int main(void) {
    printf("%d\n", get());
    return 0;
}
//=== file: b.c
struct pair { char b; int a; };
extern struct pair p; // UB
int get(void) { return p.b; }
//=== pass: same types, size left out
int table[3] = { 1, 2, 3 };
int get(int);
extern int late;
int main(void) { return get(2) + late != 8; }
//=== file: b.c
extern int table[];
int late = 5;
int get(int i) { return table[i]; }
//=== pass: a struct of the same tag and members
struct pair { int a; struct pair *next; };
struct pair p = { 4, &p };
int get(void);
int main(void) { return get() != 4; }
//=== file: b.c
struct pair { int a; struct pair *next; };
extern struct pair p;
int get(void) { return p.next->a; }
//=== pass: without a prototype, and qualified parameters
int f();
int g(int);
int main(void) { return f(1, 2) + g(3) != 6; }
//=== file: b.c
int f(int a, int b) { return a + b; }
int g(const int c) { return c; }
//=== pass: one name, two internal objects
static int counter = 1;
int other(void);
int main(void) { return counter + other() != 3; }
//=== file: b.c
static long counter = 2;
int other(void) { return counter; }
//=== pass: an enum and its compatible type
enum colour { RED, GREEN };
enum colour c = GREEN;
int get(void);
int main(void) { return get() != 1; }
//=== file: b.c
extern unsigned c;
int get(void) { return c; }
//=== fail: a struct with a tag and one without
struct box { int v; };
int get(struct box);
int main(void) { return get((struct box){ 3 }) != 3; }
//=== file: b.c
typedef struct { int v; } box;
int get(box b) { return b.v; } // UB
//=== fail: packed in one file
#include <stdio.h>
struct rec { char c; int v; };
struct rec r = { 1, 2 };
int get(void);
int main(void) {
    printf("%d\n", get());
    return 0;
}
//=== file: b.c
struct __attribute__((packed)) rec { char c; int v; };
extern struct rec r; // UB
int get(void) { return r.v; }
//=== fail: an alignment specifier in one file
#include <stdio.h>
struct rec { int a; int b; };
struct rec r = { 1, 2 };
int get(void);
int main(void) {
    printf("%d\n", get());
    return 0;
}
//=== file: b.c
struct rec { int a; _Alignas(8) int b; };
extern struct rec r; // UB
int get(void) { return r.b; }
//=== fail: another width of a bit-field
#include <stdio.h>
struct flags { unsigned a : 3, b : 5; };
struct flags f = { 1, 2 };
unsigned get(void);
int main(void) {
    printf("%u\n", get());
    return 0;
}
//=== file: b.c
struct flags { unsigned a : 4, b : 5; };
extern struct flags f; // UB
unsigned get(void) { return f.b; }
//=== fail: an alignment that the definition has not
extern _Alignas(64) char buffer[64];
int low(void);
int main(void) { return ((unsigned long)buffer & 63) != 0; }
//=== file: b.c
char pad = 1;
char buffer[64] = { 1 }; // UB
int low(void) { return pad; }
//=== fail: a struct that only the third file does not know
struct s { int v; };
extern struct s *shared;
int get(void);
int main(void) {
    struct s v = { 1 };
    shared = &v;
    return get() != 1;
}
//=== file: b.c
struct s { float v; };
extern struct s *shared; // UB
int get(void) { return (int)shared->v; }
//=== file: c.c
struct s;
struct s *shared;
//=== fail: a prototype for a definition with an identifier list
#include <stdio.h>
int low(char);
int main(void) {
    printf("%d\n", low(300 - 256));
    return 0;
}
//=== file: b.c
int low(c) // UB
    char c;
{
    return c;
}
//=== pass: an opaque struct, a stream and callbacks
// prints: 9
#include <stdio.h>
struct list;
struct item { struct item *next; int value; };
struct list *make(void);
void push(struct list *, struct item *);
int fold(struct list *, int (*)(int, const struct item *), FILE *);
static int add(int sum, const struct item *item) { return sum + item->value; }
int main(void) {
    struct item a = { 0, 4 }, b = { 0, 5 };
    struct list *list = make();
    push(list, &a);
    push(list, &b);
    return fold(list, add, stdout) != 9;
}
//=== file: b.c
#include <stdio.h>
struct item { struct item *next; int value; };
struct list { struct item *head; };
static struct list only;
struct list *make(void) { return &only; }
void push(struct list *list, struct item *item) {
    item->next = list->head;
    list->head = item;
}
int fold(struct list *list, int (*f)(int, const struct item *), FILE *out) {
    int sum = 0;
    for (struct item *item = list->head; item; item = item->next)
        sum = f(sum, item);
    fprintf(out, "%d\n", sum);
    return sum;
}
//=== pass: structs and enumerations by value
typedef struct { int x, y; } point;
enum axis { X, Y };
union word { unsigned u; float f; };
point mirror(point, enum axis);
union word wrap(unsigned);
int main(void) {
    point p = mirror((point){ 1, 2 }, Y);
    return p.x != 1 || p.y != -2 || wrap(5).u != 5;
}
//=== file: b.c
typedef struct { int x, y; } point;
enum axis { Y = 1, X = 0 };
union word { float f; unsigned u; };
point mirror(point p, enum axis a) { return a == X ? (point){ -p.x, p.y } : (point){ p.x, -p.y }; }
union word wrap(unsigned u) { return (union word){ .u = u }; }
//=== pass: allocated in one file, used in the other
#include <stdlib.h>
struct tree { struct tree *left, *right; int key; };
struct tree *insert(struct tree *, int);
static int depth(const struct tree *t) {
    if (!t)
        return 0;
    int l = depth(t->left), r = depth(t->right);
    return 1 + (l > r ? l : r);
}
int main(void) {
    struct tree *t = 0;
    for (int i = 0; i < 4; i++)
        t = insert(t, i);
    struct tree copy = *t;
    copy.right->key++;
    return depth(&copy) != 4 || t->right->key != 2;
}
//=== file: b.c
#include <stdlib.h>
struct tree { struct tree *left, *right; int key; };
struct tree *insert(struct tree *t, int key) {
    if (!t) {
        t = calloc(1, sizeof *t);
        t->key = key;
    } else if (key < t->key) {
        t->left = insert(t->left, key);
    } else {
        t->right = insert(t->right, key);
    }
    return t;
}
//=== pass: structs that name each other
struct b;
struct a { struct b *b; int v; };
struct b { struct a *a; struct a inside; };
int follow(struct a *, int);
int main(void) {
    struct a x = { 0, 1 };
    struct b y = { &x, { 0, 2 } };
    x.b = &y;
    return follow(&x, 5) != 1;
}
//=== file: b.c
struct b { struct a { struct b *b; int v; } *a, inside; };
int follow(struct a *a, int n) {
    while (n--)
        a = a->b->a;
    return a->v;
}
//=== pass: a tag that one file uses twice
struct s { int v; };
int get(struct s *);
static int local(void) {
    struct s { double d; } v = { 2.0 };
    return (int)v.d;
}
int main(void) {
    struct s v = { 3 };
    return get(&v) + local() != 5;
}
//=== file: b.c
static int hide(void) {
    struct s { char c[3]; } v = { "ab" };
    return v.c[2];
}
struct s { int v; };
int get(struct s *s) { return s->v + hide(); }
//=== pass: anonymous members and bit-fields
struct rec { unsigned a : 3, : 5, b : 8; union { int i; struct { short lo, hi; }; }; int tail[]; };
int sum(const struct rec *);
int main(void) {
    struct rec r = { 1, 2, { .i = 0x00020001 } };
    return sum(&r) != 6;
}
//=== file: b.c
struct rec { unsigned a : 3, : 5, b : 8; union { struct { short lo, hi; }; int i; }; int tail[]; };
int sum(const struct rec *r) { return r->a + r->b + r->lo + r->hi; }
//=== pass: attributes that change nothing
struct __attribute__((aligned(4))) four { int v; };
struct bytes { char a, b; };
int get(struct four *, struct bytes *);
int main(void) {
    struct four f = { 1 };
    struct bytes b = { 2, 3 };
    return get(&f, &b) != 6;
}
//=== file: b.c
struct four { int v; };
struct __attribute__((packed)) bytes { char a, b; };
int get(struct four *f, struct bytes *b) { return f->v + b->a + b->b; }
//=== pass: a definition with an identifier list
int low(int, double);
int main(void) { return low('a', 1.5) != 98; }
//=== file: b.c
int low(c, f)
    char c;
    float f;
{
    return c + (int)f;
}
//=== pass: a variable list with structs
#include <stdarg.h>
struct p { int x, y; };
int sum(int, ...);
int main(void) { return sum(2, (struct p){ 1, 2 }, (struct p){ 3, 4 }) != 10; }
//=== file: b.c
#include <stdarg.h>
struct p { int x, y; };
int sum(int n, ...) {
    int s = 0;
    va_list ap;
    va_start(ap, n);
    while (n--) {
        struct p p = va_arg(ap, struct p);
        s += p.x + p.y;
    }
    va_end(ap);
    return s;
}
//=== pass: alignment that the definition has and others leave out
extern char buffer[64];
int main(void) { return ((unsigned long)buffer & 63) != 0; }
//=== file: b.c
_Alignas(64) char buffer[64];
//=== fail: thread-local in one file
_Thread_local int v = 3;
int get(void);
int main(void) { return get() != 3; }
//=== file: b.c
extern int v; // UB
int get(void) { return v; }
//=== fail: thread-local in the other
int v = 3;
int get(void);
int main(void) { return get() != 3; }
//=== file: b.c
extern _Thread_local int v; // UB
int get(void) { return v; }
//=== pass: thread-local in both
_Thread_local int v = 3;
int get(void);
int main(void) { return get() != 3; }
//=== file: b.c
extern _Thread_local int v;
int get(void) { return v; }
