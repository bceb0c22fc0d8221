/* Which names the other headers declare, and for which machine. Everything here is a macro, so nothing of it is
   left after preprocessing. The rules for hiding names are those a program sees with glibc. */
#ifndef __HOWLER_FEATURES_H
#define __HOWLER_FEATURES_H

#if defined __x86_64__ && !defined __ILP32__
# define __HOWLER_LP64 1
#elif !defined __i386__
# error "Howler's headers describe x86-64 and i386 only"
#endif

/* GNU modes show POSIX names unless the program asks for something narrower; strict modes hide them. */
#if defined _GNU_SOURCE
# define __HOWLER_GNU 1
# define __HOWLER_POSIX 1
# define __HOWLER_MISC 1
#elif defined _DEFAULT_SOURCE || defined _BSD_SOURCE || defined _SVID_SOURCE
# define __HOWLER_POSIX 1
# define __HOWLER_MISC 1
#elif defined _POSIX_SOURCE || defined _POSIX_C_SOURCE || defined _XOPEN_SOURCE
# define __HOWLER_POSIX 1
#elif !defined __STRICT_ANSI__ && !defined _ISOC99_SOURCE && !defined _ISOC11_SOURCE
# define __HOWLER_POSIX 1
# define __HOWLER_MISC 1
#endif

#if defined __HOWLER_POSIX || defined _ISOC99_SOURCE || defined _ISOC11_SOURCE
# define __HOWLER_C99 1
#elif defined __STDC_VERSION__
# if __STDC_VERSION__ >= 199901L
#  define __HOWLER_C99 1
# endif
#endif

#if defined __HOWLER_GNU || defined _ISOC11_SOURCE
# define __HOWLER_C11 1
#elif defined __STDC_VERSION__
# if __STDC_VERSION__ >= 201112L
#  define __HOWLER_C11 1
# endif
#endif

#define __HOWLER_NORETURN __attribute__ ((__noreturn__))

#endif
