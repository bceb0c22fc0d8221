/* C17 7.22. What the machine does not model is refused where it is called. */
#ifndef __HOWLER_STDLIB_H
#define __HOWLER_STDLIB_H
#include <howler/features.h>
#include <howler/null.h>
#include <howler/size_t.h>
#include <howler/wchar_t.h>
#ifdef __HOWLER_MISC
# include <alloca.h>
#endif

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#define MB_CUR_MAX (__ctype_get_mb_cur_max ())
size_t __ctype_get_mb_cur_max (void);

typedef struct
{
  int quot;
  int rem;
} div_t;

typedef struct
{
  long quot;
  long rem;
} ldiv_t;

void abort (void) __HOWLER_NORETURN;
void exit (int __status) __HOWLER_NORETURN;
int atexit (void (*__function) (void));
char *getenv (const char *__name);
int system (const char *__command);

void *malloc (size_t __size);
void *calloc (size_t __count, size_t __size);
void *realloc (void *__block, size_t __size);
void free (void *__block);

int abs (int __x);
long labs (long __x);
div_t div (int __x, int __y);
ldiv_t ldiv (long __x, long __y);

double atof (const char *__text);
int atoi (const char *__text);
long atol (const char *__text);
double strtod (const char *__restrict __text, char **__restrict __end);
long strtol (const char *__restrict __text, char **__restrict __end, int __base);
unsigned long strtoul (const char *__restrict __text, char **__restrict __end, int __base);

int mblen (const char *__text, size_t __size);
int mbtowc (wchar_t *__restrict __to, const char *__restrict __text, size_t __size);
int wctomb (char *__to, wchar_t __c);
size_t mbstowcs (wchar_t *__restrict __to, const char *__restrict __from, size_t __count);
size_t wcstombs (char *__restrict __to, const wchar_t *__restrict __from, size_t __size);

int rand (void);
void srand (unsigned int __seed);

void *bsearch (const void *__key, const void *__base, size_t __count, size_t __size,
               int (*__compare) (const void *, const void *));
void qsort (void *__base, size_t __count, size_t __size, int (*__compare) (const void *, const void *));

#ifdef __HOWLER_C99
typedef struct
{
  long long quot;
  long long rem;
} lldiv_t;

void _Exit (int __status) __HOWLER_NORETURN;
long long llabs (long long __x);
lldiv_t lldiv (long long __x, long long __y);
long long atoll (const char *__text);
float strtof (const char *__restrict __text, char **__restrict __end);
long double strtold (const char *__restrict __text, char **__restrict __end);
long long strtoll (const char *__restrict __text, char **__restrict __end, int __base);
unsigned long long strtoull (const char *__restrict __text, char **__restrict __end, int __base);
#endif

#ifdef __HOWLER_C11
void *aligned_alloc (size_t __alignment, size_t __size);
int at_quick_exit (void (*__function) (void));
void quick_exit (int __status) __HOWLER_NORETURN;
#endif

#ifdef __HOWLER_POSIX
int rand_r (unsigned int *__seed);
long random (void);
void srandom (unsigned int __seed);
double drand48 (void);
void srand48 (long __seed);
int setenv (const char *__name, const char *__value, int __replace);
int unsetenv (const char *__name);
int putenv (char *__text);
int posix_memalign (void **__to, size_t __alignment, size_t __size);
#endif

#ifdef __HOWLER_MISC
void *reallocarray (void *__block, size_t __count, size_t __size);
#endif

#ifdef __HOWLER_GNU
void qsort_r (void *__base, size_t __count, size_t __size, int (*__compare) (const void *, const void *, void *),
              void *__context);
#endif

#endif
