old(a, b, c) int a; char *b; double c; { return a + *b + (int)c; }

static f1(); extern undeclared(); main() { f1(1, 2.0f, 'c'); undeclared(3); implicit(4); return old(1, "x", 2.0); } static f1(x) { return x; }

int (*pf)() = old; int g(p) register int (*p)(); { return (*p)(1) + p(2); } short h(s, t) short s; unsigned char t; { return s + t; }
