typedef int int8_t;
typedef int int32_t;
typedef int uint32_t;
int g_7;
int *volatile g_892;
int func_24(uint32_t, int8_t, int32_t *);
int func_1() { func_24(1, g_7, g_7); }
int func_24(uint32_t, int8_t, int32_t *) { *g_892 = g_892; }
int main() { func_1(); }
