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

int printf (const char *__restrict __format, ...);
int fprintf (FILE *__restrict __stream, const char *__restrict __format, ...);
int sprintf (char *__restrict __to, const char *__restrict __format, ...);
int vprintf (const char *__restrict __format, __builtin_va_list __list);
int vfprintf (FILE *__restrict __stream, const char *__restrict __format, __builtin_va_list __list);
int vsprintf (char *__restrict __to, const char *__restrict __format, __builtin_va_list __list);
#ifdef __HOWLER_C99
int snprintf (char *__restrict __to, size_t __size, const char *__restrict __format, ...);
int vsnprintf (char *__restrict __to, size_t __size, const char *__restrict __format, __builtin_va_list __list);
#endif

int fputc (int __c, FILE *__stream);
int putc (int __c, FILE *__stream);
int putchar (int __c);
int fputs (const char *__restrict __text, FILE *__restrict __stream);
int puts (const char *__text);
size_t fwrite (const void *__restrict __from, size_t __size, size_t __count, FILE *__restrict __stream);
int fflush (FILE *__stream);
int ferror (FILE *__stream);
void setbuf (FILE *__restrict __stream, char *__restrict __buffer);
int setvbuf (FILE *__restrict __stream, char *__restrict __buffer, int __mode, size_t __size);
void perror (const char *__text);

#endif
