/* C17 7.21, as far as a program without files and input needs it: formatted and plain output to stdout, stderr
   and strings. A program that opens files or reads needs the system's header. */
#ifndef __HOWLER_STDIO_H
#define __HOWLER_STDIO_H
#include <howler/features.h>
#include <howler/null.h>
#include <howler/size_t.h>
#ifdef __HOWLER_POSIX
# include <howler/ssize_t.h>
# include <howler/va_list.h>
#endif

struct _IO_FILE;
typedef struct _IO_FILE FILE;
extern FILE *stdout;
extern FILE *stderr;
#define stdout stdout
#define stderr stderr

#define EOF (-1)
#define BUFSIZ 8192
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2

int printf (const char *__restrict format, ...);
int fprintf (FILE *__restrict stream, const char *__restrict format, ...);
int sprintf (char *__restrict to, const char *__restrict format, ...);
int vprintf (const char *__restrict format, __builtin_va_list list);
int vfprintf (FILE *__restrict stream, const char *__restrict format, __builtin_va_list list);
int vsprintf (char *__restrict to, const char *__restrict format, __builtin_va_list list);
#ifdef __HOWLER_C99
int snprintf (char *__restrict to, size_t size, const char *__restrict format, ...);
int vsnprintf (char *__restrict to, size_t size, const char *__restrict format, __builtin_va_list list);
#endif

int fputc (int c, FILE *stream);
int putc (int c, FILE *stream);
int putchar (int c);
int fputs (const char *__restrict text, FILE *__restrict stream);
int puts (const char *text);
size_t fwrite (const void *__restrict from, size_t size, size_t count, FILE *__restrict stream);
int fflush (FILE *stream);
int ferror (FILE *stream);
void setbuf (FILE *__restrict stream, char *__restrict buffer);
int setvbuf (FILE *__restrict stream, char *__restrict buffer, int mode, size_t size);
void perror (const char *text);

#endif
