int g; void use(int); int test(void);

void branches(int n) { if (n) use(1); else if (n > 3) { use(2); } else use(3); if (n) { if (g) use(4); } else use(5); }

void loops(int n) { int i; for (i = 0; i < n; i++) { if (i == 3) continue; if (i == 5) break; use(i); } while (n--) use(n); do use(n); while (test()); for (int k = 0, *p = &k; k < 3; ++k) use(*p); for (;;) break; }

int cases(int n) { switch (n) { case 1: return 1; case 2: case 3: n++; break; case 'x': { int k = 2; n = k; } default: n--; } switch (n + 0ul) case 5: return 2; return n; }

int jumps(int n) { goto middle; again: if (n > 10) goto end; n += 2; middle: n++; goto again; end: return n; }

int declarations(void) { int a = 1; use(a); static int b = 2; extern int g; int c[2] = { a, b }, *d = c; register int e = 3; { int a = 2; use(a); } struct local { int x; } s = { 4 }; enum { INSIDE = 3 } t = INSIDE; int proto(int); return *d + e + s.x + t + c[1]; }

int shadow(int x) { typedef int number; { int number = 3; x += number; } number y = x; struct s { int a; } v = { y }; { struct s { char b; } w = { 1 }; x += w.b; } return v.a + x; }

int main(int argc, char **argv) { ; ; {} return argc > 1 ? argv[1][0] : 0; }
