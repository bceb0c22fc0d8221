//=== fail: a negative char
#include <ctype.h>
#include <stdio.h>
int main(void) {
    char s[] = "a\xe9z";
    int n = 0;
    for (char *p = s; *p; p++)
        n += isalpha(*p) != 0; // UB
    printf("%d\n", n);
    return 0;
}
//=== fail: far outside
// exploited
#include <ctype.h>
#include <stdio.h>
volatile int code = 20000000;
int main(void) {
    int r = isupper(code) != 0; // UB
    printf("%d\n", r * 0);
    return 0;
}
//=== fail: converted to upper case
#include <ctype.h>
#include <stdio.h>
struct key { int code; };
static int fold(const struct key *k) {
    return toupper(k->code); // UB
}
int main(void) {
    struct key k = { 'a' + 256 };
    printf("%d\n", fold(&k));
    return 0;
}
//=== fail: a digit of another set
#include <ctype.h>
#include <stdio.h>
volatile int wide = -1000000;
int main(void) {
    if (isdigit(wide)) // UB
        puts("digit");
    else
        puts("other");
    return 0;
}
//=== pass: EOF and every unsigned char
#include <ctype.h>
#include <stdio.h>
int main(void) {
    int n = isdigit(EOF) != 0;
    for (int c = 0; c < 256; c++)
        n += isdigit(c) != 0;
    return n != 10 || toupper(EOF) != EOF;
}
//=== pass: made unsigned before
#include <ctype.h>
int main(void) {
    char c = '\xe9';
    return isdigit((unsigned char)c) != 0 || isspace((unsigned char)' ') == 0;
}
//=== pass: letters
#include <ctype.h>
int main(void) { return toupper('a') != 'A' || tolower('Z') != 'z' || !isalpha('q') || isalpha('1'); }
