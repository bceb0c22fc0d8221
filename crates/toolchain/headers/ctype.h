/* C17 7.4, as plain functions. */
#ifndef __HOWLER_CTYPE_H
#define __HOWLER_CTYPE_H
#include <howler/features.h>

int isalnum (int c);
int isalpha (int c);
int iscntrl (int c);
int isdigit (int c);
int isgraph (int c);
int islower (int c);
int isprint (int c);
int ispunct (int c);
int isspace (int c);
int isupper (int c);
int isxdigit (int c);
int tolower (int c);
int toupper (int c);

#ifdef __HOWLER_C99
int isblank (int c);
#endif

#ifdef __HOWLER_POSIX
int isascii (int c);
int toascii (int c);
#endif

#endif
