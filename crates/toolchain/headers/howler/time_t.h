/* time_t and clock_t alone (C17 7.27.1p3): <time.h> and <sys/types.h> define them. */
#ifndef __HOWLER_TIME_T
#define __HOWLER_TIME_T
typedef long time_t;
typedef long clock_t;
#endif
