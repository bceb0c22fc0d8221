static int *g_430, **g_431 = &g_430;
static int ***volatile g_555 = &g_431;
int main(void) { (**g_555) = (**g_555); }
