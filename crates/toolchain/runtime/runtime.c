/* A C library of almost nothing, for programs that need almost nothing: starting and linking with it takes a fraction
   of what the real one takes. Compiled with -ffreestanding, linked statically, x86-64 Linux only.

   What is not here is an undefined symbol, and the program is linked with the real library instead. What cannot be
   known before the program runs (a conversion that printf has not) ends the program with status 125 and a message
   that the toolchain knows (`fall_back`). */

typedef unsigned long size_t;
typedef __builtin_va_list va_list;
#define va_start(list, last) __builtin_va_start(list, last)
#define va_arg(list, type) __builtin_va_arg(list, type)
#define va_end(list) __builtin_va_end(list)

static long call(long number, long a, long b, long c)
{
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
}

#define SYS_WRITE 1
#define SYS_GETPID 39
#define SYS_KILL 62
#define SYS_ARCH_PRCTL 158
#define SYS_EXIT_GROUP 231
#define ARCH_SET_FS 0x1002

/* Instructions instead of loops: no compiler makes a call of the function itself of them. */
void *memcpy(void *to, const void *from, size_t size)
{
    void *result = to;
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
    return result;
}

void *memset(void *to, int byte, size_t size)
{
    void *result = to;
    __asm__ volatile("rep stosb" : "+D"(to), "+c"(size) : "a"(byte) : "memory");
    return result;
}

void *memmove(void *to, const void *from, size_t size)
{
    char *end = (char *)to + size - 1;
    const char *last = (const char *)from + size - 1;
    if ((size_t)to - (size_t)from >= size)
        return memcpy(to, from, size);
    __asm__ volatile("std; rep movsb; cld" : "+D"(end), "+S"(last), "+c"(size) : : "memory");
    return to;
}

int memcmp(const void *a, const void *b, size_t size)
{
    const unsigned char *x = a, *y = b;
    for (; size; size--, x++, y++)
        if (*x != *y)
            return *x - *y;
    return 0;
}

void *memchr(const void *from, int byte, size_t size)
{
    const unsigned char *x = from;
    for (; size; size--, x++)
        if (*x == (unsigned char)byte)
            return (void *)x;
    return 0;
}

size_t strlen(const char *text)
{
    const volatile char *end = text;
    while (*end)
        end++;
    return (size_t)(end - (const volatile char *)text);
}

int strncmp(const char *a, const char *b, size_t size)
{
    for (; size; size--, a++, b++) {
        if (*a != *b)
            return (unsigned char)*a - (unsigned char)*b;
        if (!*a)
            break;
    }
    return 0;
}

int strcmp(const char *a, const char *b)
{
    return strncmp(a, b, (size_t)-1);
}

char *strcpy(char *to, const char *from)
{
    return memcpy(to, from, strlen(from) + 1);
}

char *strncpy(char *to, const char *from, size_t size)
{
    size_t length = 0;
    while (length < size && from[length])
        length++;
    memcpy(to, from, length);
    memset(to + length, 0, size - length);
    return to;
}

char *strcat(char *to, const char *from)
{
    strcpy(to + strlen(to), from);
    return to;
}

char *strchr(const char *text, int byte)
{
    for (;; text++) {
        if (*text == (char)byte)
            return (char *)text;
        if (!*text)
            return 0;
    }
}

char *strrchr(const char *text, int byte)
{
    char *found = 0;
    for (;; text++) {
        if (*text == (char)byte)
            found = (char *)text;
        if (!*text)
            return found;
    }
}

int abs(int value)
{
    return value < 0 ? -value : value;
}

long labs(long value)
{
    return value < 0 ? -value : value;
}

long long llabs(long long value)
{
    return value < 0 ? -value : value;
}

/* Streams. Standard output is buffered until the buffer is full or the program exits, as the real one is on a pipe;
   standard error is not. */
struct _IO_FILE {
    int number;
    size_t used;
    char bytes[4096];
};
typedef struct _IO_FILE FILE;
static FILE output = { 1, 0, { 0 } }, error = { 2, 0, { 0 } };
FILE *stdout = &output;
FILE *stderr = &error;

static int write_all(int number, const char *bytes, size_t size)
{
    while (size) {
        long written = call(SYS_WRITE, number, (long)bytes, (long)size);
        if (written == -4)
            continue;
        if (written < 0)
            return -1;
        bytes += written;
        size -= (size_t)written;
    }
    return 0;
}

int fflush(FILE *stream)
{
    FILE *one = stream ? stream : &output;
    int result = write_all(one->number, one->bytes, one->used);
    one->used = 0;
    return result;
}

__attribute__((noreturn)) void _exit(int status)
{
    for (;;)
        call(SYS_EXIT_GROUP, status, 0, 0);
}

__attribute__((noreturn)) void _Exit(int status)
{
    _exit(status);
}

static void (*at_exit[32])(void);
static int at_exit_count;

int atexit(void (*function)(void))
{
    if (at_exit_count == 32)
        return -1;
    at_exit[at_exit_count++] = function;
    return 0;
}

typedef void (*hook)(int, char **, char **);
extern const hook __init_array_start[] __attribute__((visibility("hidden")));
extern const hook __init_array_end[] __attribute__((visibility("hidden")));
extern void (*const __fini_array_start[])(void) __attribute__((visibility("hidden")));
extern void (*const __fini_array_end[])(void) __attribute__((visibility("hidden")));

__attribute__((noreturn)) void exit(int status)
{
    unsigned long hooks = (unsigned long)(__fini_array_end - __fini_array_start);
    while (at_exit_count)
        at_exit[--at_exit_count]();
    while (hooks)
        __fini_array_start[--hooks]();
    fflush(&output);
    _exit(status);
}

__attribute__((noreturn)) void abort(void)
{
    call(SYS_KILL, call(SYS_GETPID, 0, 0, 0), 6, 0);
    _exit(127);
}

__attribute__((noreturn)) static void fall_back(const char *why)
{
    static const char start[] = "howler runtime: the real library is needed: ";
    write_all(2, start, sizeof start - 1);
    write_all(2, why, strlen(why));
    write_all(2, "\n", 1);
    _exit(125);
}

static void put(FILE *stream, const char *bytes, size_t size)
{
    if (stream->number != 1) {
        write_all(stream->number, bytes, size);
        return;
    }
    for (; size; size--) {
        if (stream->used == sizeof stream->bytes)
            fflush(stream);
        stream->bytes[stream->used++] = *bytes++;
    }
}

int fputc(int character, FILE *stream)
{
    char byte = (char)character;
    put(stream, &byte, 1);
    return (unsigned char)byte;
}

int putc(int character, FILE *stream)
{
    return fputc(character, stream);
}

int putchar(int character)
{
    return fputc(character, stdout);
}

int fputs(const char *text, FILE *stream)
{
    put(stream, text, strlen(text));
    return 1;
}

int puts(const char *text)
{
    fputs(text, stdout);
    put(stdout, "\n", 1);
    return 1;
}

size_t fwrite(const void *bytes, size_t size, size_t count, FILE *stream)
{
    put(stream, bytes, size * count);
    return size ? count : 0;
}

__attribute__((noreturn)) void __assert_fail(const char *text, const char *file, unsigned line, const char *function)
{
    (void)text, (void)file, (void)line, (void)function;
    fall_back("a failed assertion");
}

/* Where formatted text goes: a stream, or memory of some size. */
struct sink {
    FILE *stream;
    char *memory;
    size_t room;
    size_t count;
};

static void give(struct sink *sink, const char *bytes, size_t size)
{
    size_t at = sink->count;
    sink->count += size;
    if (sink->stream) {
        put(sink->stream, bytes, size);
        return;
    }
    for (; size; size--, at++, bytes++)
        if (at < sink->room)
            sink->memory[at] = *bytes;
}

static void pad(struct sink *sink, char byte, long count)
{
    for (; count > 0; count--)
        give(sink, &byte, 1);
}

/* One conversion: flags, width, precision, what to print. */
struct conversion {
    int left, zero, plus, space, alternative;
    long width, precision; /* A precision of -1 is none. */
};

static void give_number(struct sink *sink, const struct conversion *how, unsigned long value, int negative, int sign,
                        unsigned base, int upper)
{
    char digits[64];
    const char *prefix = "";
    long length = 0, zeros, prefix_length;
    unsigned long rest = value;
    for (; rest; rest /= base) {
        unsigned digit = (unsigned)(rest % base);
        digits[sizeof digits - (size_t)++length] = (char)(digit < 10 ? '0' + digit : (upper ? 'A' : 'a') + digit - 10);
    }
    zeros = (how->precision < 0 ? 1 : how->precision) - length;
    if (zeros < 0)
        zeros = 0;
    if (how->alternative && base == 8 && !zeros && (length || how->precision == 0))
        zeros = 1;
    if (how->alternative && base == 16 && value)
        prefix = upper ? "0X" : "0x";
    if (sign)
        prefix = negative ? "-" : how->plus ? "+" : how->space ? " " : "";
    prefix_length = (long)strlen(prefix);
    if (how->zero && !how->left && how->precision < 0 && how->width > prefix_length + zeros + length)
        zeros = how->width - prefix_length - length;
    if (!how->left)
        pad(sink, ' ', how->width - prefix_length - zeros - length);
    give(sink, prefix, (size_t)prefix_length);
    pad(sink, '0', zeros);
    give(sink, digits + sizeof digits - length, (size_t)length);
    if (how->left)
        pad(sink, ' ', how->width - prefix_length - zeros - length);
}

static void give_text(struct sink *sink, const struct conversion *how, const char *text)
{
    long length = 0;
    if (!text)
        fall_back("a null string");
    while ((how->precision < 0 || length < how->precision) && text[length])
        length++;
    if (!how->left)
        pad(sink, ' ', how->width - length);
    give(sink, text, (size_t)length);
    if (how->left)
        pad(sink, ' ', how->width - length);
}

static const char *read_flags(const char *at, struct conversion *how)
{
    for (;; at++) {
        if (*at == '-')
            how->left = 1;
        else if (*at == '0')
            how->zero = 1;
        else if (*at == '+')
            how->plus = 1;
        else if (*at == ' ')
            how->space = 1;
        else if (*at == '#')
            how->alternative = 1;
        else
            return at;
    }
}

static const char *read_count(const char *at, long *count)
{
    for (*count = 0; *at >= '0' && *at <= '9'; at++)
        *count = *count * 10 + (*at - '0');
    return at;
}

static int format_to(struct sink *sink, const char *format, va_list list)
{
    for (;;) {
        struct conversion how = { 0, 0, 0, 0, 0, 0, -1 };
        const char *at = format;
        int size = 0; /* 2 long, 1 int, -1 short, -2 char. */
        long value;
        while (*at && *at != '%')
            at++;
        give(sink, format, (size_t)(at - format));
        if (!*at)
            return (int)sink->count;
        at = read_flags(at + 1, &how);
        if (*at == '*') {
            how.width = va_arg(list, int);
            at++;
            if (how.width < 0) {
                how.left = 1;
                how.width = -how.width;
            }
        } else {
            at = read_count(at, &how.width);
        }
        if (*at == '.') {
            if (at[1] == '*') {
                how.precision = va_arg(list, int);
                at += 2;
            } else {
                at = read_count(at + 1, &how.precision);
            }
        }
        if (*at == 'l' || *at == 'z' || *at == 'j' || *at == 't') {
            size = 2;
            at += at[0] == 'l' && at[1] == 'l' ? 2 : 1;
        } else if (*at == 'h') {
            size = at[1] == 'h' ? -2 : -1;
            at += at[1] == 'h' ? 2 : 1;
        }
        switch (*at) {
        case 'd':
        case 'i':
            value = size == 2 ? va_arg(list, long) : va_arg(list, int);
            if (size == -1)
                value = (short)value;
            else if (size == -2)
                value = (signed char)value;
            give_number(sink, &how, value < 0 ? 0ul - (unsigned long)value : (unsigned long)value, value < 0, 1, 10, 0);
            break;
        case 'u':
        case 'x':
        case 'X':
        case 'o':
            value = size == 2 ? va_arg(list, long) : (long)va_arg(list, unsigned);
            if (size == -1)
                value = (unsigned short)value;
            else if (size == -2)
                value = (unsigned char)value;
            give_number(sink, &how, (unsigned long)value, 0, 0, *at == 'u' ? 10 : *at == 'o' ? 8 : 16, *at == 'X');
            break;
        case 'c': {
            char byte;
            if (size == 2)
                fall_back("a wide character");
            byte = (char)va_arg(list, int);
            if (!how.left)
                pad(sink, ' ', how.width - 1);
            give(sink, &byte, 1);
            if (how.left)
                pad(sink, ' ', how.width - 1);
            break;
        }
        case 's':
            if (size == 2)
                fall_back("a wide string");
            give_text(sink, &how, va_arg(list, const char *));
            break;
        case '%':
            give(sink, "%", 1);
            break;
        default:
            fall_back("a conversion of printf");
        }
        format = at + 1;
    }
}

int vfprintf(FILE *stream, const char *format, va_list list)
{
    struct sink sink = { 0, 0, 0, 0 };
    sink.stream = stream;
    return format_to(&sink, format, list);
}

int vprintf(const char *format, va_list list)
{
    return vfprintf(stdout, format, list);
}

int vsnprintf(char *memory, size_t room, const char *format, va_list list)
{
    struct sink sink = { 0, 0, 0, 0 };
    int count;
    sink.memory = memory;
    sink.room = room ? room - 1 : 0;
    count = format_to(&sink, format, list);
    if (room)
        memory[sink.count < room - 1 ? sink.count : room - 1] = 0;
    return count;
}

int printf(const char *format, ...)
{
    va_list list;
    int count;
    va_start(list, format);
    count = vfprintf(stdout, format, list);
    va_end(list);
    return count;
}

int fprintf(FILE *stream, const char *format, ...)
{
    va_list list;
    int count;
    va_start(list, format);
    count = vfprintf(stream, format, list);
    va_end(list);
    return count;
}

int sprintf(char *memory, const char *format, ...)
{
    va_list list;
    int count;
    va_start(list, format);
    count = vsnprintf(memory, 1ul << 31, format, list);
    va_end(list);
    return count;
}

int snprintf(char *memory, size_t room, const char *format, ...)
{
    va_list list;
    int count;
    va_start(list, format);
    count = vsnprintf(memory, room, format, list);
    va_end(list);
    return count;
}

/* The start. Code may look for a guard value or a thread-local object relative to %fs: the former is here, of the
   latter none may exist. */
extern int main(int argc, char **argv, char **env);
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char __rela_iplt_start[] __attribute__((visibility("hidden")));
extern const char __rela_iplt_end[] __attribute__((visibility("hidden")));
static void *thread[64];

static unsigned long field(const char *at, int size)
{
    unsigned long value = 0;
    memcpy(&value, at, (size_t)size);
    return value;
}

__attribute__((noreturn, used)) void howler_start(long *stack)
{
    const char *header = __ehdr_start + field(__ehdr_start + 32, 8);
    unsigned long count = field(__ehdr_start + 56, 2), size = field(__ehdr_start + 54, 2);
    int argc = (int)stack[0];
    char **argv = (char **)(stack + 1);
    thread[0] = thread;
    call(SYS_ARCH_PRCTL, ARCH_SET_FS, (long)thread, 0);
    for (; count; count--, header += size)
        if (field(header, 4) == 7) /* PT_TLS */
            fall_back("thread-local objects");
    if (__rela_iplt_start != __rela_iplt_end)
        fall_back("functions chosen at the start");
    for (count = 0; count < (unsigned long)(__init_array_end - __init_array_start); count++)
        __init_array_start[count](argc, argv, argv + argc + 1);
    exit(main(argc, argv, argv + argc + 1));
}

__asm__(".text\n.globl _start\n_start:\n\txorl %ebp, %ebp\n\tmovq %rsp, %rdi\n\tandq $-16, %rsp\n\tcall howler_start\n");
