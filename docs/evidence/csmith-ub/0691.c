static signed char g_152;
static signed char *volatile g_390 = &g_152;
static signed char *volatile *g_389 = &g_390;
static signed char *volatile **g_388 = &g_389;
int main(void) { ((***g_388) = (0 || (**g_389))), (*g_390); }
