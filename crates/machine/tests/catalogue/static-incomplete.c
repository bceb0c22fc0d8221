//=== fail: an array of no size
static int a[]; // UB
#include <stdio.h>
int main(void) {
    printf("%d\n", a[0]);
    return 0;
}
//=== fail: a size that comes later
static char text[]; // UB
#include <stdio.h>
int main(void) {
    puts(text);
    return 0;
}
static char text[3] = "ab";
//=== fail: a struct that is complete later
static struct s v; // UB
#include <stdio.h>
struct s { int x; };
int main(void) {
    printf("%d\n", v.x);
    return 0;
}
//=== pass: extern declarations of no size
static int a[3] = { 1, 2, 3 };
extern int a[];
extern int b[];
int main(void) { return a[2] + b[0] != 7; }
int b[2] = { 4 };
//=== pass: an external tentative definition has one element
int a[];
int main(void) { return a[0]; }
//=== pass: the size comes from the initialiser
static int a[] = { 1, 2 };
int main(void) {
    static int b[] = { 3 };
    return a[1] + b[0] != 5;
}
//=== pass: one element, where the letter does not count
// letter
static int a[];
int main(void) { return a[0]; }
