// Answers requests with what glibc's own functions do. One request per line, fields separated by spaces, byte
// strings in hexadecimal after an "h"; one answer per line.
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static char *field[16];
static char text[1 << 16], given[1 << 20], out[1 << 20];

static int nibble(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

static size_t unhex(const char *from, char *to) {
    size_t n = 0;
    for (from++; from[0] && from[1]; from += 2)
        to[n++] = (char)(nibble(from[0]) << 4 | nibble(from[1]));
    to[n] = 0;
    return n;
}

static void hex(const void *bytes, size_t n) {
    static const char digit[] = "0123456789abcdef";
    putchar('h');
    for (size_t i = 0; i < n; i++) {
        unsigned char c = ((const unsigned char *)bytes)[i];
        putchar(digit[c >> 4]);
        putchar(digit[c & 15]);
    }
}

// print <format> <stars> <width> <precision> <kind> <value>
#define PRINT(v)                                                                       \
    (stars == 0   ? snprintf(out, sizeof out, text, v)                                 \
     : stars == 1 ? snprintf(out, sizeof out, text, width, v)                          \
     : stars == 2 ? snprintf(out, sizeof out, text, precision, v)                      \
                  : snprintf(out, sizeof out, text, width, precision, v))

static void print(void) {
    unhex(field[1], text);
    int stars = atoi(field[2]), width = atoi(field[3]), precision = atoi(field[4]), n = -1;
    memset(given, 0, 64);
    unhex(field[6], given);
    int i;
    long l;
    long long ll;
    double d;
    long double ld;
    memcpy(&i, given, sizeof i);
    memcpy(&l, given, sizeof l);
    memcpy(&ll, given, sizeof ll);
    memcpy(&d, given, sizeof d);
    memcpy(&ld, given, 10);
    switch (field[5][0]) {
    case 'i': n = PRINT(i); break;
    case 'l': n = PRINT(l); break;
    case 'L': n = PRINT(ll); break;
    case 'd': n = PRINT(d); break;
    case 'D': n = PRINT(ld); break;
    case 's': n = PRINT(given); break;
    case 'p': n = PRINT((void *)l); break;
    case 'w': n = PRINT((wint_t)i); break;
    case 'q': {
        _Float128 q;
        memcpy(&q, given, sizeof q);
        n = strfromf128(out, sizeof out, text, q);
    }
    }
    if (n < 0)
        printf("error %d", errno);
    else
        hex(out, n);
}

// number <function> <base> <text>
static void number(void) {
    char *end = 0;
    unhex(field[3], text);
    int base = atoi(field[2]);
    union {
        long l;
        unsigned long ul;
        long long ll;
        unsigned long long ull;
        float f;
        double d;
        long double ld;
        _Float128 q;
        char bytes[16];
    } v = {.bytes = {0}};
    errno = 0;
    size_t n = sizeof(long);
    switch (field[1][0]) {
    case 'l': v.l = strtol(text, &end, base); break;
    case 'u': v.ul = strtoul(text, &end, base); break;
    case 'L': v.ll = strtoll(text, &end, base); n = 8; break;
    case 'U': v.ull = strtoull(text, &end, base); n = 8; break;
    case 'f': v.f = strtof(text, &end); n = 4; break;
    case 'd': v.d = strtod(text, &end); n = 8; break;
    case 'D': v.ld = strtold(text, &end); n = 10; break;
    case 'q': v.q = strtof128(text, &end); n = 16; break;
    }
    int range = errno == ERANGE;
    hex(v.bytes, n);
    printf(" %d %d", (int)(end - text), range);
}

// scan <format> <text> <size of each object>...
static void scan(int fields) {
    static unsigned char object[6][4096];
    static char format[4096];
    unhex(field[1], format);
    unhex(field[2], text);
    memset(object, 0xa5, sizeof object);
    int n = sscanf(text, format, object[0], object[1], object[2], object[3], object[4], object[5]);
    printf("%d", n);
    for (int i = 3; i < fields; i++) {
        putchar(' ');
        hex(object[i - 3], atoi(field[i]));
    }
}

// ctype <character>
static void classes(void) {
    int c = atoi(field[1]);
    int (*test[])(int) = {isalnum, isalpha, isblank, iscntrl, isdigit, isgraph,
                          islower, isprint, ispunct, isspace, isupper, isxdigit};
    for (int i = 0; i < 12; i++)
        putchar(test[i](c) ? '1' : '0');
    printf(" %d %d", tolower(c), toupper(c));
}

int main(void) {
    static char line[1 << 18];
    while (fgets(line, sizeof line, stdin)) {
        int fields = 0;
        for (char *p = strtok(line, " \n"); p && fields < 16; p = strtok(0, " \n"))
            field[fields++] = p;
        if (!strcmp(field[0], "print"))
            print();
        else if (!strcmp(field[0], "number"))
            number();
        else if (!strcmp(field[0], "ctype"))
            classes();
        else
            scan(fields);
        putchar('\n');
    }
}
