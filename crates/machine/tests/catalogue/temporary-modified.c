//=== fail: member array of a returned struct
// thirty-one: 23
#include <stdio.h>
struct s { int a[2]; };
static struct s make(void) { return (struct s){ { 1, 2 } }; }
int main(void) {
    printf("%d\n", make().a[1] = 5); // UB
    return 0;
}
//=== fail: by a function that takes a pointer
#include <stdio.h>
struct name { char text[8]; };
static struct name make(void) { return (struct name){ "abc" }; }
static int upper(char *s) {
    s[0] = 'A'; // UB
    return s[0];
}
int main(void) {
    printf("%c\n", upper(make().text));
    return 0;
}
//=== fail: value of an assignment
// differs
#include <stdio.h>
struct s { int a[2]; };
int main(void) {
    struct s x = { { 1, 2 } }, y;
    (y = x).a[0]++; // UB
    printf("%d %d\n", x.a[0], y.a[0]);
    return 0;
}
//=== fail: value of a conditional
// differs
#include <stdio.h>
struct s { int a[3]; };
volatile int c = 1;
int main(void) {
    struct s x = { { 1, 2, 3 } }, y = { { 4, 5, 6 } };
    for (int i = 0; i < 3; i++)
        (c ? x : y).a[i] = 0; // UB
    printf("%d\n", x.a[0] + y.a[0]);
    return 0;
}
//=== pass: only read in its expression
#include <string.h>
struct name { char text[8]; int v[2]; };
static struct name make(void) { return (struct name){ "abc", { 3, 4 } }; }
int main(void) { return make().v[1] != 4 || strlen(make().text) != 3 || make().text[2] != 'c'; }
//=== pass: a copy is modified
struct s { int a[2]; };
static struct s make(void) { return (struct s){ { 1, 2 } }; }
int main(void) {
    struct s x = make();
    x.a[1] = 7;
    return x.a[1] != 7 || make().a[1] != 2;
}
//=== pass: a compound literal may be modified
struct s { int a[2]; };
int main(void) {
    int v = ++(struct s){ { 1, 2 } }.a[1];
    return v != 3;
}
