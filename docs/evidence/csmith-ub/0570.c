#include <stdint.h>
union U0 { uint32_t f0; int16_t f1; };
static union U0 g_84 = { 9 };
int main(void) { int16_t *g_279 = &g_84.f1; return *g_279 == 1; }
