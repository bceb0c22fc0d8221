/* C17 7.22 without the environment, multibyte characters and other processes. */
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
void exit (int status) __HOWLER_NORETURN;
int atexit (void (*function) (void));

void *malloc (size_t size);
void *calloc (size_t count, size_t size);
void *realloc (void *block, size_t size);
void free (void *block);

int abs (int x);
long labs (long x);
div_t div (int x, int y);
ldiv_t ldiv (long x, long y);

double atof (const char *text);
int atoi (const char *text);
long atol (const char *text);
double strtod (const char *__restrict text, char **__restrict end);
long strtol (const char *__restrict text, char **__restrict end, int base);
unsigned long strtoul (const char *__restrict text, char **__restrict end, int base);

int rand (void);
void srand (unsigned int seed);

void *bsearch (const void *key, const void *base, size_t count, size_t size,
               int (*compare) (const void *, const void *));
void qsort (void *base, size_t count, size_t size, int (*compare) (const void *, const void *));

#ifdef __HOWLER_C99
typedef struct
{
  long long quot;
  long long rem;
} lldiv_t;

void _Exit (int status) __HOWLER_NORETURN;
long long llabs (long long x);
lldiv_t lldiv (long long x, long long y);
long long atoll (const char *text);
float strtof (const char *__restrict text, char **__restrict end);
long double strtold (const char *__restrict text, char **__restrict end);
long long strtoll (const char *__restrict text, char **__restrict end, int base);
unsigned long long strtoull (const char *__restrict text, char **__restrict end, int base);
#endif

#ifdef __HOWLER_C11
void *aligned_alloc (size_t alignment, size_t size);
int at_quick_exit (void (*function) (void));
void quick_exit (int status) __HOWLER_NORETURN;
#endif

#endif
