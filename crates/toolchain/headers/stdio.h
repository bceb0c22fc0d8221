/* C17 7.21. The machine models the three standard streams and what works on strings; a program that opens files
   is read with this header too, and refused where it opens one. */
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
typedef struct
{
  long __offset;
  int __count;
  unsigned int __value;
} fpos_t;
extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;
#define stdin stdin
#define stdout stdout
#define stderr stderr

#define EOF (-1)
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define FOPEN_MAX 16
#define TMP_MAX 238328
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2

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

int scanf (const char *__restrict __format, ...);
int fscanf (FILE *__restrict __stream, const char *__restrict __format, ...);
int sscanf (const char *__restrict __text, const char *__restrict __format, ...);
#ifdef __HOWLER_C99
int vscanf (const char *__restrict __format, __builtin_va_list __list);
int vfscanf (FILE *__restrict __stream, const char *__restrict __format, __builtin_va_list __list);
int vsscanf (const char *__restrict __text, const char *__restrict __format, __builtin_va_list __list);
#endif

int fputc (int __c, FILE *__stream);
int putc (int __c, FILE *__stream);
int putchar (int __c);
int fputs (const char *__restrict __text, FILE *__restrict __stream);
int puts (const char *__text);
size_t fwrite (const void *__restrict __from, size_t __size, size_t __count, FILE *__restrict __stream);

int fgetc (FILE *__stream);
int getc (FILE *__stream);
int getchar (void);
int ungetc (int __c, FILE *__stream);
char *fgets (char *__restrict __to, int __size, FILE *__restrict __stream);
size_t fread (void *__restrict __to, size_t __size, size_t __count, FILE *__restrict __stream);

int fflush (FILE *__stream);
int feof (FILE *__stream);
int ferror (FILE *__stream);
void clearerr (FILE *__stream);
void setbuf (FILE *__restrict __stream, char *__restrict __buffer);
int setvbuf (FILE *__restrict __stream, char *__restrict __buffer, int __mode, size_t __size);
void perror (const char *__text);

FILE *fopen (const char *__restrict __name, const char *__restrict __mode);
FILE *freopen (const char *__restrict __name, const char *__restrict __mode, FILE *__restrict __stream);
FILE *tmpfile (void);
int fclose (FILE *__stream);
int remove (const char *__name);
int rename (const char *__old, const char *__new);
int fseek (FILE *__stream, long __offset, int __whence);
long ftell (FILE *__stream);
void rewind (FILE *__stream);
int fgetpos (FILE *__restrict __stream, fpos_t *__restrict __position);
int fsetpos (FILE *__stream, const fpos_t *__position);

#ifdef __HOWLER_POSIX
ssize_t getline (char **__restrict __line, size_t *__restrict __size, FILE *__restrict __stream);
ssize_t getdelim (char **__restrict __line, size_t *__restrict __size, int __delimiter, FILE *__restrict __stream);
int getchar_unlocked (void);
int getc_unlocked (FILE *__stream);
int putchar_unlocked (int __c);
int putc_unlocked (int __c, FILE *__stream);
int fileno (FILE *__stream);
FILE *fdopen (int __file, const char *__mode);
FILE *popen (const char *__command, const char *__mode);
int pclose (FILE *__stream);
int dprintf (int __file, const char *__restrict __format, ...);
FILE *fmemopen (void *__buffer, size_t __size, const char *__mode);
FILE *open_memstream (char **__buffer, size_t *__size);
#endif

#ifdef __HOWLER_GNU
int asprintf (char **__restrict __to, const char *__restrict __format, ...);
int vasprintf (char **__restrict __to, const char *__restrict __format, __builtin_va_list __list);
#endif

#endif
