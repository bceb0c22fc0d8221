//=== fail: first letter
// exploited
#include <stdio.h>
int main(void) {
    char *s = "hello";
    s[0] = 'H'; // UB
    puts(s);
    return 0;
}
//=== fail: in a function
// exploited
#include <stdio.h>
static void upper(char *s) {
    for (; *s; s++)
        if (*s >= 'a' && *s <= 'z')
            *s -= 32; // UB
}
int main(void) {
    char *names[2] = { "Ann", "Bob" };
    upper(names[0]);
    puts(names[0]);
    return 0;
}
//=== fail: as the target of strcpy
// exploited
#include <stdio.h>
#include <string.h>
struct entry { char *name; };
int main(void) {
    struct entry e = { "unnamed" };
    strcpy(e.name, "named"); // UB
    puts(e.name);
    return 0;
}
//=== fail: terminated early
// exploited
#include <stdio.h>
static char *global = "key=value";
int main(void) {
    char *p = global;
    while (*p != '=')
        p++;
    *p = 0; // UB
    puts(global);
    return 0;
}
//=== pass: an array initialised by a literal
#include <string.h>
int main(void) {
    char s[] = "hello";
    s[0] = 'H';
    return strcmp(s, "Hello") != 0;
}
//=== pass: a compound literal
int main(void) {
    char *s = (char[]){ "hello" };
    s[1] = 'a';
    return s[1] != 'a';
}
//=== pass: copied before
#include <stdlib.h>
#include <string.h>
int main(void) {
    const char *from = "text";
    char *s = malloc(strlen(from) + 1);
    if (!s)
        return 0;
    strcpy(s, from);
    s[0] = 'T';
    int r = s[0] != 'T' || from[0] != 't';
    free(s);
    return r;
}
//=== pass: a pointer into a table changed, not the text
int main(void) {
    const char *names[2] = { "a", "b" };
    names[0] = "c";
    return names[0][0] != 'c';
}
