//=== fail: assigned and incremented
#include <stdio.h>
int main(void) {
    int i = 1;
    i = i++ + 1; // UB
    printf("%d\n", i);
    return 0;
}
//=== fail: index and value
// differs
#include <stdio.h>
int main(void) {
    int a[3] = { 7, 8, 9 }, i = 0;
    a[i] = i++; // UB
    printf("%d %d\n", a[0], a[1]);
    return 0;
}
//=== fail: two arguments
// differs
#include <stdio.h>
static int minus(int a, int b) { return a - b; }
int main(void) {
    int i = 5;
    printf("%d\n", minus(i, i++)); // UB
    return 0;
}
//=== fail: compound assignment
#include <stdio.h>
static int x = 3;
int main(void) {
    x += x++; // UB
    printf("%d\n", x);
    return 0;
}
//=== fail: member of a pointer that changes
// differs
#include <stdio.h>
struct node { struct node *n; int v; };
int main(void) {
    struct node a = { 0, 1 }, b = { 0, 2 }, *p = &a, *q = &b;
    p->n = p = q; // UB
    printf("%d %d\n", a.n != 0, b.n != 0);
    return 0;
}
//=== fail: one object through two pointers
// thirty-one: 28
#include <stdio.h>
__attribute__((noinline)) static int both(int *p, int *q) {
    return (*p)++ + (*q)++; // UB
}
int main(void) {
    int x = 1;
    int sum = both(&x, &x);
    printf("%d %d\n", sum, x);
    return 0;
}
//=== fail: two stores in arguments
// differs
// thirty-one: 29
#include <stdio.h>
static int pair(int a, int b) { return a * 10 + b; }
__attribute__((noinline)) static int set(int *p, int *q) {
    return pair(*p = 1, *q = 2); // UB
}
int main(void) {
    int x = 0;
    int r = set(&x, &x);
    printf("%d %d\n", r, x);
    return 0;
}
//=== fail: pointer moved in the same expression
// differs
#include <stdio.h>
int main(void) {
    char s[] = "abc", *p = s;
    *p = *++p; // UB
    puts(s);
    return 0;
}
//=== fail: elements that meet in a loop
#include <stdio.h>
int main(void) {
    int a[3] = { 1, 2, 3 }, sum = 0;
    for (int i = 0, j = 2; i < 3; i++, j--)
        sum += (a[i] += 1) * (a[j] *= 2); // UB
    printf("%d\n", sum);
    return 0;
}
//=== fail: a macro that uses its argument twice
#include <stdio.h>
#define SQUARE(x) ((x) * (x))
int main(void) {
    int i = 3;
    int s = SQUARE(i++); // UB
    printf("%d %d\n", s, i);
    return 0;
}
//=== fail: through a chain of pointers
// differs
#include <stdio.h>
struct inner { int n; };
struct outer { struct inner *in; };
static int add(struct outer *a, struct outer *b) {
    return a->in->n + b->in->n++; // UB
}
int main(void) {
    struct inner v = { 4 };
    struct outer x = { &v }, y = { &v };
    printf("%d\n", add(&x, &y));
    return 0;
}
//=== fail: incremented before, assigned after
#include <stdio.h>
int main(void) {
    int i = 1, j;
    j = i++ + ++i; // UB
    printf("%d %d\n", i, j);
    return 0;
}
//=== fail: member and the whole struct
#include <stdio.h>
struct pair { int a, b; };
static struct pair v = { 1, 2 };
static int use(struct pair p, int n) { return p.a * 10 + n; }
int main(void) {
    printf("%d\n", use(v, v.a = 5)); // UB
    return 0;
}
//=== pass: statements inside a statement expression are sequenced
static int a[4];
int main(void) {
    int *p = a, *q = a + 1;
    int r = a[3]++ + ({ *p = 1; *p = 2; *p; }) + *q;
    int s = (*q)++ + ({ for (int i = 0; i < 3; i++) *p = i; *p; });
    return r + s != 4;
}
//=== pass: initialiser list
int main(void) {
    int i = 0;
    int a[2] = { i++, i++ };
    return a[0] + a[1] != 1 || i != 2;
}
//=== pass: comma, and, or, conditional
int main(void) {
    int i = 1, j;
    i = (i++, i);
    j = i++ && i++;
    j += i++ > 3 ? i++ : 0;
    return i != 6 || j != 6;
}
//=== pass: a call between
static int twice(int x) { return 2 * x; }
int main(void) {
    int i = 3;
    i = twice(i++);
    return i != 6;
}
//=== pass: the value goes where it was read
struct node { struct node *next; int v; };
int main(void) {
    struct node a = { 0, 1 }, b = { 0, 2 }, *p = &a;
    int i = 1, v[3] = { 0, 0, 0 };
    p = p->next = &b;
    i = i + 1;
    v[i] = i;
    i = v[i];
    return p != &b || a.next != &b || i != 2;
}
//=== pass: two objects, two members, two bit-fields
struct s { unsigned a : 4, b : 4; int c, d; };
int main(void) {
    struct s v = { 1, 2, 3, 4 };
    int a[2] = { 5, 6 }, i = 0, *p = a, *q = a + 1;
    int sum = v.a++ + v.b++ + v.c++ + v.d--;
    sum += (*p)++ + (*q)++;
    sum += a[i] + v.a++;
    return sum != 29 || v.a != 3 || v.b != 3;
}
//=== pass: a struct assigned from a function that takes its address
struct s { int a, b; };
static struct s swap(const struct s *p) { return (struct s){ p->b, p->a }; }
int main(void) {
    struct s v = { 1, 2 };
    v = swap(&v);
    return v.a != 2 || v.b != 1;
}
//=== fail: compound assignment and a comma in its right side
#include <stdio.h>
int main(void) {
    int x = 1;
    int *p = &x;
    *p += (x = 5, 3); // UB
    printf("%d\n", x);
    return 0;
}
//=== fail: two bounds of one declarator
// differs
#include <stdio.h>
int main(void) {
    int i = 2;
    int a[i++][i++]; // UB
    printf("%d %d\n", (int)sizeof a, (int)sizeof a[0]);
    return 0;
}
//=== fail: two bounds of a type name
// differs
#include <stdio.h>
int main(void) {
    int i = 2;
    int size = (int)sizeof(char[i++][i]); // UB
    printf("%d\n", size);
    return 0;
}
//=== fail: a bound and the rest of the expression
#include <stdio.h>
int main(void) {
    int i = 2;
    int size = (int)sizeof(char[i++]) + i; // UB
    printf("%d\n", size);
    return 0;
}
//=== fail: the bound and the operand of a cast
#include <stdio.h>
int main(void) {
    int i = 2, a[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };
    int *p = *(int (*)[i++])(void *)(a + i); // UB
    printf("%d\n", *p);
    return 0;
}
//=== pass: bounds of two declarators
int main(void) {
    int i = 2;
    int a[i++], b[i++];
    return sizeof a != 8 || sizeof b != 12 || i != 4;
}
//=== pass: a bound in one arm
int main(void) {
    int i = 2;
    int size = i == 2 ? (int)sizeof(char[i++]) : i++;
    return size != 2 || i != 3;
}
//=== fail: two bounds of one parameter
// differs
#include <stdio.h>
static int width(int n, int a[n++][n++]) { return (int)sizeof a[0]; } // UB
int main(void) {
    printf("%d\n", width(2, 0));
    return 0;
}
//=== pass: sequence points inside a statement of a statement expression
static int g, h, *p = &h;
static int zero(void) { return 0; }
int main(void) {
    int x, rounds = 0;
    while (({ x = g++ || g > 9 || (g = 0, 1); *p = zero(); rounds < 3; }) && x) rounds++;
    int y = ({ (g++, g++); *p = zero(); g; }) + x;
    int z = ({ x = g++ ? g++ : g--; *p = zero(); x; }) + rounds;
    return y != 3 || z != 6 || g != 4;
}
