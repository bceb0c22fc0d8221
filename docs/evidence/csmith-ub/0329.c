typedef int int16_t;
typedef int int32_t;
typedef int uint64_t;
int g_4;
int *volatile g_331;
int *func_43(int16_t, int16_t, uint64_t, int32_t *);
int func_1() { func_43(0, 0, g_4, 0); }
int *func_43(int16_t, int16_t, uint64_t, int32_t *) { *g_331 = g_331; }
int main() { func_1(); }
