#include <stdint.h>
union U2 { int64_t f0; const int32_t f1; const uint8_t f2; };
static union U2 g_203 = { 1 };
int main(void) { const int32_t *g_1844 = &g_203.f1; return 4 >= *g_1844; }
