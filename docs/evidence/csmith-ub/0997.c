static int g_22, g_72, *g_21 = &g_22;
static int *const volatile g_71 = &g_72;
int main(void) { (*g_71) = (1, ((*g_21) = (1, (*g_71)))); }
