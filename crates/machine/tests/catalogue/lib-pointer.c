//=== fail: copy of nothing from null
// exploited
#include <stdio.h>
#include <string.h>
volatile int none = 1;
__attribute__((noinline)) static int copy(char *to, const char *from, int n) {
    memcpy(to, from, n); // UB
    return from == 0 ? -1 : 0;
}
int main(void) {
    char buf[4] = "";
    printf("%d\n", copy(buf, none ? 0 : buf, 0));
    return 0;
}
//=== fail: null cleared
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct buf { char *data; unsigned size; };
__attribute__((noinline)) static const char *reset(struct buf *b) {
    memset(b->data, 0, b->size); // UB
    if (b->data)
        return "cleared";
    return "empty";
}
int main(void) {
    struct buf b = { NULL, 0 };
    puts(reset(&b));
    return 0;
}
//=== fail: null printed
// exploited
#include <stdio.h>
static const char *names[2] = { "a", 0 };
int main(void) {
    for (int i = 0; i < 2; i++)
        printf("%s\n", names[i]); // UB
    return 0;
}
//=== fail: length of null
// exploited
#include <stdio.h>
#include <string.h>
int main(void) {
    const char *s = 0;
    unsigned long n = strlen(s); // UB
    printf("%d\n", n > 0 || n == 0);
    return 0;
}
//=== fail: nothing sorted
#include <stdio.h>
#include <stdlib.h>
static int compare(const void *a, const void *b) { return 0; }
int main(void) {
    int *list = 0;
    qsort(list, 0, sizeof *list, compare); // UB
    puts(list ? "list" : "none");
    return 0;
}
//=== fail: compared with null
#include <stdio.h>
#include <string.h>
volatile int none = 1;
__attribute__((noinline)) static int same(const char *a, const char *b) {
    int r = memcmp(a, b, 0); // UB
    if (!a || !b)
        return 2;
    return r;
}
int main(void) {
    printf("%d\n", same("x", none ? 0 : "y"));
    return 0;
}
//=== pass: null where the library allows it
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char *p = realloc(NULL, 4);
    int n = snprintf(NULL, 0, "%d", 12345);
    free(p);
    free(NULL);
    char *end;
    long v = strtol("12", NULL, 10) + strtol("3x", &end, 10);
    return n != 5 || v != 15 || *end != 'x';
}
//=== pass: nothing copied between valid pointers
#include <string.h>
int main(void) {
    char a[2] = "a", b[2] = "b";
    memcpy(a, b, 0);
    memset(a + 2, 1, 0);
    return a[0] != 'a' || memcmp(a, b, 0) != 0;
}
//=== pass: tested before
#include <string.h>
static unsigned long length(const char *s) { return s ? strlen(s) : 0; }
int main(void) { return length(0) != 0 || length("abc") != 3; }
