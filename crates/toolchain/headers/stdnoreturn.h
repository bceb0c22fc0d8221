/* C17 7.23. */
#ifndef __HOWLER_STDNORETURN_H
#define __HOWLER_STDNORETURN_H
#define noreturn _Noreturn
#endif
