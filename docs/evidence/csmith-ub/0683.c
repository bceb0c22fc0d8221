struct S0 { int f0; };
static struct S0 *g_873;
static struct S0 **volatile g_872 = &g_873;
int main(void) { (*g_872) = (*g_872); }
