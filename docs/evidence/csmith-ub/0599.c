static volatile int *volatile g_713;
static volatile int *volatile *volatile g_712 = &g_713;
static volatile int *volatile *volatile *g_711 = &g_712;
int main(void) { (**g_711) = (*g_712); }
