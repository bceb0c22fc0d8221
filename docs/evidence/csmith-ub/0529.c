static int *volatile g_403;
static int *volatile *volatile g_402 = &g_403;
static int *volatile *volatile *g_401 = &g_402;
int main(void) { (**g_401) = (**g_401); }
