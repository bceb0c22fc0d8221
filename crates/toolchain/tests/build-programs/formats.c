/* Everything the small runtime's printf knows, compared with the real one's. */
int printf(const char *, ...);
int sprintf(char *, const char *, ...);
int snprintf(char *, unsigned long, const char *, ...);
int puts(const char *);
int putchar(int);
int strcmp(const char *, const char *);
unsigned long strlen(const char *);
void *memmove(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);
char *strcpy(char *, const char *);
char *strcat(char *, const char *);
char *strchr(const char *, int);
char *strrchr(const char *, int);
int memcmp(const void *, const void *, unsigned long);

static const char *flags[] = { "", "-", "0", "+", " ", "#", "-0", "+-", "#0", "# +-0", "+0" };
static const char *counts[] = { "", "1", "5", "12", ".0", ".1", ".4", "9.4", "3.8", ".", "25.20" };
static const char *ints[] = { "d", "i", "u", "x", "X", "o", "hd", "hhd", "hu", "hhu", "hhx", "ho" };
static const char *longs[] = { "ld", "lu", "lx", "lX", "lo", "lld", "llu", "zu", "zd", "jd", "td", "ju", "llx" };
static const long values[] = { 0, 1, -1, 7, 8, 255, 256, -128, 32767, -32768, 65536, 2147483647, -2147483648L, 123456789012345L,
                               9223372036854775807L, -9223372036854775807L - 1 };

enum { FLAGS = sizeof flags / sizeof flags[0], COUNTS = sizeof counts / sizeof counts[0] };
enum { INTS = sizeof ints / sizeof ints[0], LONGS = sizeof longs / sizeof longs[0] };
enum { VALUES = sizeof values / sizeof values[0] };

static char format[64], buffer[256];

static void build(int flag, int count, const char *conversion)
{
    strcpy(format, "[%");
    strcat(format, flags[flag]);
    strcat(format, counts[count]);
    strcat(format, conversion);
    strcat(format, "]");
}

int main(void)
{
    int printed = 0;
    for (int f = 0; f < FLAGS; f++)
        for (int c = 0; c < COUNTS; c++) {
            for (int v = 0; v < VALUES; v++) {
                for (int k = 0; k < INTS; k++) {
                    build(f, c, ints[k]);
                    printed += printf(format, (int)values[v]);
                }
                for (int k = 0; k < LONGS; k++) {
                    build(f, c, longs[k]);
                    printed += printf(format, values[v]);
                }
                putchar('\n');
            }
            build(f, c, "s");
            printed += printf(format, "hello");
            printed += printf(format, "");
            build(f, c, "c");
            printed += printf(format, 'x');
        }
    printf("%d\n", printed);
    printf("%*d|%-*d|%*d|%.*d|%.*s|%%|%c%c\n", 5, 1, 5, 2, -5, 3, 3, 4, 2, "abc", 0, 'y');
    for (int room = 0; room < 12; room++) {
        memset(buffer, '#', sizeof buffer);
        int count = snprintf(buffer, room, "%s-%d", "abc", 12345);
        printf("%d %d %.12s\n", room, count, buffer);
    }
    printf("%d %s\n", sprintf(buffer, "%05d|%s", 42, "text"), buffer);
    puts(buffer);
    memmove(buffer + 2, buffer, 8);
    puts(buffer);
    memmove(buffer, buffer + 3, 8);
    puts(buffer);
    printf("%d %d %d\n", strcmp("a", "b") < 0, strcmp("b", "a") > 0, strcmp("a", "a"));
    printf("%s %s %lu %d\n", strchr("hello", 'l'), strrchr("hello", 'l'), strlen("hello"), memcmp("ab", "ac", 2) < 0);
    return 0;
}
