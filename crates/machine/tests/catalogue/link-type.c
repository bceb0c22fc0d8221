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
