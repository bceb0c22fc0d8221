typedef int int8_t;
typedef int int32_t;
int g_6;
int g_45 = 0L;
int g_82 = 4L;
int *func_12(int8_t, const *);
int func_30(int32_t *, int32_t *, int32_t *, const, const);
int *func_61();
int func_1() { int32_t l_17 = func_12(0, 0); }
int *func_12(int8_t, const *) { int32_t l_18 = g_6; int32_t l_20 = g_6; int32_t l_21 = { 0 }; func_30(l_21, l_18, l_20, 0, 0); }
int func_30(int32_t *, int32_t *, int32_t *, const, const) { func_61(&g_45); }
int *func_61(int32_t *) { int32_t *volatile l_205 = g_82; *l_205 = l_205; }
int main() { func_1(); }
