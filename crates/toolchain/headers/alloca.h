/* Memory that lives as long as the calling function. */
#ifndef __HOWLER_ALLOCA_H
#define __HOWLER_ALLOCA_H
#include <howler/size_t.h>
#undef alloca
void *alloca (size_t __size);
#define alloca(size) __builtin_alloca (size)
#endif
