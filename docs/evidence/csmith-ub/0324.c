#include <stdint.h>
union U0 { uint32_t f0; int16_t f1; uint32_t f2; volatile uint16_t f3; const uint64_t f4; };
static union U0 g_574 = { 0x392168DF };
int main(void) { int16_t *volatile g_995 = &g_574.f1; return *g_995 > 0xE380; }
