//=== fail: memcpy to the right
// exploited
#include <stdio.h>
#include <string.h>
int main(void) {
    char s[33] = "abcdefghijklmnopqrstuvwxyz012345";
    memcpy(s + 1, s, 31); // UB
    puts(s);
    return 0;
}
//=== fail: strcpy to the left
#include <stdio.h>
#include <string.h>
static char *trim(char *s) {
    if (*s == ' ')
        strcpy(s, s + 1); // UB
    return s;
}
int main(void) {
    char line[] = " some text to be moved to the left";
    puts(trim(line));
    return 0;
}
//=== fail: sprintf onto its own argument
#include <stdio.h>
int main(void) {
    char buf[32] = "abc";
    sprintf(buf, "<%s>", buf); // UB
    puts(buf);
    return 0;
}
//=== fail: exactly itself
#include <stdio.h>
#include <string.h>
struct s { int v[4]; };
static void copy(struct s *to, const struct s *from) {
    memcpy(to, from, sizeof *to); // UB
}
int main(void) {
    struct s x = { { 1, 2, 3, 4 } };
    copy(&x, &x);
    printf("%d\n", x.v[3]);
    return 0;
}
//=== fail: strcat of a string to itself
#include <stdio.h>
#include <string.h>
int main(void) {
    char s[16] = "ab";
    for (int i = 0; i < 1; i++)
        strcat(s, s + 1); // UB
    printf("%c\n", s[0]);
    return 0;
}
//=== fail: fields of a heap array
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int *p = malloc(64 * sizeof *p);
    if (!p)
        return 1;
    for (int i = 0; i < 64; i++)
        p[i] = i;
    memcpy(p + 1, p, 60 * sizeof *p); // UB
    printf("%d\n", p[40]);
    free(p);
    return 0;
}
//=== pass: memmove
#include <string.h>
int main(void) {
    char s[8] = "abcdef";
    memmove(s + 1, s, 6);
    memmove(s, s + 1, 3);
    memmove(s, s, 8);
    return strcmp(s, "abccdef") != 0;
}
//=== pass: neighbours that only touch
#include <string.h>
int main(void) {
    char s[9] = "abcd";
    memcpy(s + 4, s, 4);
    strcpy(s, s + 5);
    return strcmp(s, "bcd") != 0;
}
//=== pass: one source twice
#include <stdio.h>
#include <string.h>
int main(void) {
    char from[4] = "abc", a[4], b[16];
    memcpy(a, from, 4);
    sprintf(b, "%s%s", from, from);
    return strcmp(b, "abcabc") != 0 || strcmp(a, from) != 0;
}
