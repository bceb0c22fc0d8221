//=== fail: length of an array without its zero
// exploited
#include <stdio.h>
#include <string.h>
int main(void) {
    char s[3] = "abc";
    int n = strlen(s); // UB
    printf("%d\n", n == 3);
    return 0;
}
//=== fail: printed
// exploited
#include <stdio.h>
#include <string.h>
int main(void) {
    char guard[8] = "guard", s[4];
    strncpy(s, "abcdef", sizeof s);
    printf("%s\n", s); // UB
    return guard[0] != 'g';
}
//=== fail: into the next member
// or: lib-bounds
#include <stdio.h>
#include <string.h>
struct name { char first[4]; char last[4]; };
__attribute__((noinline)) static int length(struct name *n) {
    return strlen(n->first); // UB
}
int main(void) {
    struct name n = { { 'a', 'b', 'c', 'd' }, "ef" };
    printf("%d\n", length(&n));
    return 0;
}
//=== fail: compared
// exploited
#include <stdio.h>
#include <string.h>
static char key[2] = { 'o', 'k' };
static char next[2] = { 'x', 0 };
int main(void) {
    printf("%d %c\n", strcmp(key, "ok") == 0, next[0]); // UB
    return 0;
}
//=== fail: searched
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
int main(void) {
    char *s = malloc(4), *t = malloc(4);
    if (!s || !t)
        return 1;
    memcpy(s, "abcd", 4);
    memcpy(t, "efg", 4);
    puts(strchr(s, 'z') ? "found" : "none"); // UB
    return 0;
}
//=== fail: copied
// exploited
#include <stdio.h>
#include <string.h>
int main(void) {
    char from[2] = { 'h', 'i' };
    char to[64] = "";
    strcpy(to, from); // UB
    printf("%d\n", to[2] == 0);
    return 0;
}
//=== pass: with a precision
#include <stdio.h>
int main(void) {
    char s[4] = { 'a', 'b', 'c', 'd' };
    printf("%.4s\n", s);
    printf("%.*s\n", 2, s);
    return 0;
    // prints: abcd
    // prints: ab
}
//=== pass: functions with a length
#include <string.h>
int main(void) {
    char s[4] = { 'a', 'b', 'c', 'd' }, t[4] = { 'a', 'b', 'c', 'd' }, u[5] = "";
    strncpy(u, s, 4);
    return strncmp(s, t, 4) != 0 || memchr(s, 'z', 4) != 0 || strlen(u) != 4;
}
//=== pass: found before the end
#include <string.h>
int main(void) {
    char s[3] = { 'a', 'b', 'c' }, buf[8];
    memset(buf, 'x', sizeof buf);
    buf[5] = 0;
    return memchr(s, 'b', 3) != s + 1 || strlen(buf) != 5 || strncmp(s, "abd", 3) >= 0;
}
