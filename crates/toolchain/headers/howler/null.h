/* NULL alone (C17 7.19p3). */
#ifndef NULL
#define NULL ((void *)0)
#endif
