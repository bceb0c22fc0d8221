typedef int int16_t;
typedef int int32_t;
typedef int int64_t;
typedef int uint32_t;
typedef int uint64_t;
int g_12;
int g_335 = 0xC8BBC2B9L;
int *g_961[] = { &g_335, &g_335, &g_335 };
int *g_960 = g_961;
int *volatile g_1528;
int func_21(int32_t *, int32_t, uint64_t, uint32_t);
int func_1() { func_10(g_12); }
int func_10(p_11) { int16_t l_1362 = { 0 }; int64_t l_1764 = func_21(0, l_1362, p_11, 0); }
int func_21(int32_t *, int32_t, uint64_t, uint32_t) { *g_1528 = g_1528; }
int main() { func_1(); }
