//=== open: a random number
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    srand(1);
    printf("%d\n", rand() % 6 + 1);
    return 0;
}
//=== pass: a random number that nobody looks at
// prints: 0
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(void) {
    srand((unsigned)time(NULL));
    int throws[3];
    for (int i = 0; i < 3; i++)
        throws[i] = rand() % 6 + 1;
    printf("%d\n", rand() < 0);
    return throws[0] & 0;
}
//=== open: the time
#include <stdio.h>
#include <time.h>
int main(void) {
    time_t now;
    time(&now);
    if (now > 0)
        puts("after 1970");
    return 0;
}
//=== pass: how long it took, not told
// prints: 499500
#include <stdio.h>
#include <time.h>
int main(void) {
    clock_t start = clock();
    time_t begin = time(NULL);
    int sum = 0;
    for (int i = 0; i < 1000; i++)
        sum += i;
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC + difftime(time(NULL), begin);
    (void)seconds;
    printf("%d\n", sum);
    return 0;
}
//=== open: the environment
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    const char *home = getenv("HOME");
    puts(home ? home : "nowhere");
    return 0;
}
//=== open: a length in the environment
#include <stdlib.h>
#include <string.h>
int main(void) {
    return strlen(getenv("PATH")) > 3;
}
//=== pass: standard input and the environment are there
// prints: 1 1
#include <stdio.h>
extern char **environ;
int main(void) {
    printf("%d %d\n", stdin != NULL, environ != NULL);
    return stdin == stdout;
}
//=== open: a handler that registers a handler
#include <stdio.h>
#include <stdlib.h>
static void late(void) { puts("late"); }
static void last(void) { atexit(late); }
int main(void) {
    return atexit(last);
}
//=== pass: a handler that calls the library
// prints: 3 three
// prints: first
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void first(void) { puts("first"); }
static void last(void) {
    char *text = malloc(6);
    strcpy(text, "three");
    printf("%d %s\n", atoi("3"), text);
    free(text);
}
int main(void) {
    return atexit(first) || atexit(last);
}
//=== pass: what is not negative
// prints: x
// prints: y
// prints: ok
#include <stdio.h>
int main(void) {
    if (puts("x") < 0 || fputs("y\n", stdout) == EOF)
        return 1;
    return puts("ok") >= 0 ? 0 : 2;
}
//=== open: how much more than zero
#include <stdio.h>
int main(void) {
    return puts("x") > 0;
}
//=== pass: errno is what was put there
// prints: 0 34 7
// prints: Numerical result out of range
// prints: 0 34 34
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int before = errno;
    long number = strtol("123456789012345678901234567890", NULL, 10);
    int range = errno;
    errno = 7;
    if (number != LONG_MAX || strtol("12", NULL, 10) != 12)
        return 1;
    printf("%d %d %d\n", before, range, errno);
    puts(strerror(ERANGE));
    errno = 0;
    strtoul("77", NULL, 8);
    printf("%d", errno);
    strtoull("-99999999999999999999999", NULL, 0);
    printf(" %d", errno);
    errno = 0;
    int infinite = strtod("1e999", NULL) > 1e308;
    printf(" %d\n", infinite ? errno : 1);
    return 0;
}
//=== open: errno after an error of a mathematical function
#include <errno.h>
#include <math.h>
int main(void) {
    volatile double minus = -1.0;
    errno = 0;
    double root = sqrt(minus);
    return errno == EDOM && root != root;
}
//=== open: errno read beside a call that sets it
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    printf("%d\n", errno + (strtol("99999999999999999999", NULL, 10) > 0));
    return 0;
}
//=== pass: nothing to read
// prints: -1 1 0 -1 0
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char line[8] = "kept";
    int number = 5, c = getchar();
    int ended = feof(stdin) != 0, read = (int)fread(&number, sizeof number, 1, stdin);
    if (fgets(line, sizeof line, stdin) != NULL || line[0] != 'k' || number != 5)
        return 1;
    printf("%d %d %d %d %d\n", c, ended, read, scanf("%d", &number), ferror(stdin));
    clearerr(stdin);
    if (feof(stdin))
        return 2;
    return ungetc('x', stdin) != 'x' || getchar() != 'x';
}
//=== pass: quick_exit calls its own handlers
// prints: quick
#include <stdio.h>
#include <stdlib.h>
static void quick(void) {
    puts("quick");
    fflush(stdout);
}
static void slow(void) { puts("slow"); }
int main(void) {
    if (at_quick_exit(quick) || atexit(slow))
        return 1;
    quick_exit(0);
}
//=== open: what setjmp fills its buffer with
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
static jmp_buf buffer;
int main(void) {
    char bytes[sizeof buffer];
    setjmp(buffer);
    memcpy(bytes, buffer, sizeof buffer);
    printf("%d\n", bytes[8] == 0);
    return 0;
}
//=== open: what __builtin_setjmp fills its buffer with
#include <stdio.h>
static void *buffer[5];
int main(void) {
    if (__builtin_setjmp(buffer))
        return 1;
    printf("%d\n", buffer[1] == 0);
    return 0;
}
//=== open: which of two texts is greater, one of them the library's choice
#include <ctype.h>
#include <string.h>
int main(void) {
    int chosen = isalpha('a'), two = 2;
    return memcmp(&chosen, &two, sizeof two) < 0;
}
//=== pass: that they differ from 0 is known
#include <ctype.h>
#include <string.h>
int main(void) {
    int chosen = isalpha('a');
    return !chosen || !(chosen | 2);
}
//=== open: whether a number is finite that the library chose
#include <ctype.h>
#include <string.h>
int main(void) {
    int chosen = isalpha('a');
    float number;
    memcpy(&number, &chosen, sizeof number);
    return __builtin_isfinite(number) != 0;
}
//=== open: errno after output
#include <errno.h>
#include <stdio.h>
int main(void) {
    errno = 5;
    printf("x");
    printf(" %d\n", errno);
    return 0;
}
//=== open: errno after an allocation
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    errno = 7;
    void *p = malloc(4);
    int e = errno;
    free(p);
    printf("%d\n", e == 7);
    return 0;
}
//=== open: errno read for the first time after output
#include <errno.h>
#include <stdio.h>
int main(void) {
    puts("x");
    printf("%d\n", errno);
    return 0;
}
//=== pass: errno set again after output
// prints: x
// prints: 0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    puts("x");
    errno = 0;
    strtol("12", NULL, 10);
    printf("%d\n", errno);
    return 0;
}
//=== pass: errno saved before output, and set by what failed after it
// prints: x
// prints: 3 34
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    errno = 3;
    int kept = errno;
    free(malloc(3));
    puts("x");
    strtol("99999999999999999999", NULL, 10);
    printf("%d %d\n", kept, errno);
    return 0;
}
