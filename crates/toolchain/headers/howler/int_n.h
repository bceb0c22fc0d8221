/* int8_t to int64_t alone (C17 7.20.1.1): <stdint.h> and <sys/types.h> define them. */
#ifndef __HOWLER_INT_N
#define __HOWLER_INT_N
#include <howler/features.h>
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
#ifdef __HOWLER_LP64
typedef long int64_t;
#else
__extension__ typedef long long int64_t;
#endif
#endif
