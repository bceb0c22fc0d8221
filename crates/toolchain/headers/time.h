/* C17 7.27. What time it is is nobody's choice but the system's: a program may ask, and not act on the answer. */
#ifndef __HOWLER_TIME_H
#define __HOWLER_TIME_H
#include <howler/features.h>
#include <howler/null.h>
#include <howler/size_t.h>
#include <howler/time_t.h>

#define CLOCKS_PER_SEC ((clock_t) 1000000)

struct tm
{
  int tm_sec;
  int tm_min;
  int tm_hour;
  int tm_mday;
  int tm_mon;
  int tm_year;
  int tm_wday;
  int tm_yday;
  int tm_isdst;
#ifdef __HOWLER_MISC
  long tm_gmtoff;
  const char *tm_zone;
#else
  long __tm_gmtoff;
  const char *__tm_zone;
#endif
};

struct timespec
{
  time_t tv_sec;
  long tv_nsec;
};

clock_t clock (void);
time_t time (time_t *__to);
double difftime (time_t __to, time_t __from);
time_t mktime (struct tm *__time);
struct tm *gmtime (const time_t *__time);
struct tm *localtime (const time_t *__time);
char *asctime (const struct tm *__time);
char *ctime (const time_t *__time);
size_t strftime (char *__restrict __to, size_t __size, const char *__restrict __format,
                 const struct tm *__restrict __time);
#ifdef __HOWLER_C11
# define TIME_UTC 1
int timespec_get (struct timespec *__to, int __base);
#endif

#ifdef __HOWLER_POSIX
typedef int clockid_t;
# define CLOCK_REALTIME 0
# define CLOCK_MONOTONIC 1
# define CLOCK_PROCESS_CPUTIME_ID 2
int clock_gettime (clockid_t __clock, struct timespec *__to);
int nanosleep (const struct timespec *__wanted, struct timespec *__left);
struct tm *gmtime_r (const time_t *__restrict __time, struct tm *__restrict __to);
struct tm *localtime_r (const time_t *__restrict __time, struct tm *__restrict __to);
char *asctime_r (const struct tm *__restrict __time, char *__restrict __to);
char *ctime_r (const time_t *__restrict __time, char *__restrict __to);
#endif

#endif
