typedef int int16_t;
typedef int int32_t;
typedef int uint32_t;
struct S0;
union U1 { }
*const **volatile g_1498;
union U1 *const **volatile *g_2393 = &g_1498;
union U1 func_23(struct S0 *, uint32_t, uint32_t, int16_t);
int func_1() { int32_t l_51 = 8L; func_23(0, l_51, l_51, l_51); }
union U1 func_23(struct S0 *, uint32_t, uint32_t, int16_t) { (**g_2393) = *g_2393; } func_28() { } func_31() { } func_33() { } main() { func_1(); }
