/* POSIX: names of types, no functions. Sizes are those of glibc without large-file macros. */
#ifndef __HOWLER_SYS_TYPES_H
#define __HOWLER_SYS_TYPES_H
#include <howler/features.h>
#include <howler/size_t.h>
#include <howler/ssize_t.h>
#include <howler/int_n.h>
#include <howler/time_t.h>

typedef int pid_t;
typedef unsigned int id_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef unsigned int mode_t;
typedef long off_t;

#ifdef __HOWLER_MISC
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
#endif
typedef unsigned char u_int8_t;
typedef unsigned short u_int16_t;
typedef unsigned int u_int32_t;
#ifdef __HOWLER_LP64
typedef unsigned long u_int64_t;
#else
__extension__ typedef unsigned long long u_int64_t;
#endif

#endif
