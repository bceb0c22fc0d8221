//=== pass: the priority that constructors have anyway
// prints: 0 1 2 3 4
#include <stdio.h>
__attribute__((constructor)) static void a(void) { printf("1 "); }
__attribute__((constructor(65535))) static void b(void) { printf("2 "); }
__attribute__((constructor)) static void c(void) { printf("3 "); }
__attribute__((constructor(65534))) static void d(void) { printf("0 "); }
int main(void) {
    puts("4");
    return 0;
}
//=== pass: the priority that destructors have anyway
// prints: 4
// prints: 3 2 1 0
#include <stdio.h>
__attribute__((destructor(65534))) static void d(void) { puts("0"); }
__attribute__((destructor)) static void a(void) { printf("1 "); }
__attribute__((destructor(65535))) static void b(void) { printf("2 "); }
__attribute__((destructor)) static void c(void) { printf("3 "); }
int main(void) {
    puts("4");
    return 0;
}
