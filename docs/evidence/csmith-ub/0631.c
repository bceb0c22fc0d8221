union U1 { int f0; };
static union U1 **g_798;
static union U1 ***volatile g_797 = &g_798;
int main(void) { return 0 == ((*g_797) = (*g_797)); }
