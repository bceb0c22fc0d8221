/* size_t alone (C17 7.19p2): several headers define it. */
#ifndef __HOWLER_SIZE_T
#define __HOWLER_SIZE_T
#include <howler/features.h>
#ifdef __HOWLER_LP64
typedef unsigned long size_t;
#else
typedef unsigned int size_t;
#endif
#endif
