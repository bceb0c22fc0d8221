/* mbstate_t alone (C17 7.29.1p2), as large as glibc's. */
#ifndef __HOWLER_MBSTATE_T
#define __HOWLER_MBSTATE_T
typedef struct
{
  int __count;
  union
  {
    unsigned int __wide;
    char __bytes[4];
  } __value;
} mbstate_t;
#endif
