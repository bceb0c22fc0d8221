//=== fail: input is flushed
#include <stdio.h>
int main(void) {
    int c = getchar();
    fflush(stdin);  // UB
    return c != EOF;
}
//=== fail: a buffer for a stream that was written to
#include <stdio.h>
int main(void) {
    puts("first");
    setvbuf(stdout, NULL, _IONBF, 0);  // UB
    puts("second");
    return 0;
}
//=== fail: wide characters after bytes
#include <stdio.h>
#include <wchar.h>
int main(void) {
    printf("bytes\n");
    wprintf(L"wide\n");  // UB
    return 0;
}
//=== fail: bytes after wide characters
#include <stdio.h>
#include <wchar.h>
int main(void) {
    wprintf(L"wide\n");
    puts("bytes");  // UB
    return 0;
}
//=== fail: setbuf after a failed read
#include <stdio.h>
static char buffer[BUFSIZ];
int main(void) {
    if (getchar() == EOF)
        setbuf(stdin, buffer);  // UB
    return 0;
}
//=== pass: output is flushed
// prints: one
// prints: two
#include <stdio.h>
int main(void) {
    puts("one");
    fflush(stdout);
    puts("two");
    return fflush(NULL);
}
//=== pass: a buffer before anything else
// prints: text
#include <stdio.h>
static char buffer[BUFSIZ];
int main(void) {
    if (setvbuf(stdout, buffer, _IOFBF, sizeof buffer) != 0)
        return 1;
    setvbuf(stdin, NULL, _IONBF, 0);
    puts("text");
    return 0;
}
//=== pass: wide characters only
// prints: 7 wide x
#include <wchar.h>
#include <stdio.h>
int main(void) {
    wprintf(L"%d %ls %lc\n", 7, L"wide", (wint_t)L'x');
    fprintf(stderr, "bytes on another stream\n");
    return 0;
}
//=== pass: without a buffer nothing is left to flush
// prints: out
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    setbuf(stdout, NULL);
    puts("out");
    _Exit(0);
}
