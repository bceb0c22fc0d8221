static int *g_215, **g_216 = &g_215;
static int ***volatile g_914 = &g_216;
static int ***volatile *g_913 = &g_914;
int main(void) { (***g_913) = (**g_914); }
