union U0 { int f0; };
static union U0 *g_1495, *g_1738;
static union U0 **volatile g_1494 = &g_1495;
int main(void) { g_1738 = ((*g_1494) = (*g_1494)); }
